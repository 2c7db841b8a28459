#include "base/library_nodes.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <deque>
#include <list>
#include <set>
#include <vector>

namespace heddle::rt {
namespace {

struct Numbered : TreeNode {
  int number;
};

class Tree {
 public:
  TreeNode header{0, nullptr, &header, &header};

  void insert(int number) {
    TreeNode* parent = &header;
    bool left = true;
    for (TreeNode* at = header.parent; at != nullptr; at = left ? at->left : at->right) {
      parent = at;
      left = number < number_of(at);
    }
    Numbered& made = nodes_.emplace_back();
    made.number = number;
    tree_insert(left, &made, parent, &header);
  }
  void erase(int number) {
    TreeNode* at = header.parent;
    while (number_of(at) != number) at = number < number_of(at) ? at->left : at->right;
    RC_ASSERT(tree_erase(at, &header) == at);
  }
  std::vector<int> forwards() {
    std::vector<int> numbers;
    for (TreeNode* at = header.left; at != &header; at = tree_next(at)) numbers.push_back(number_of(at));
    return numbers;
  }
  std::vector<int> backwards() {
    std::vector<int> numbers;
    for (TreeNode* at = &header; at != header.left;) numbers.push_back(number_of(at = tree_previous(at)));
    return numbers;
  }
  // Black nodes on each way down; every red node's children are black.
  static int height(const TreeNode* node) {
    if (node == nullptr) return 1;
    for (const TreeNode* child : {node->left, node->right}) {
      if (child == nullptr) continue;
      RC_ASSERT(child->parent == node);
      RC_ASSERT((node->colour == 1 || child->colour == 1));
    }
    const int left = height(node->left);
    RC_ASSERT(left == height(node->right));
    return left + node->colour;
  }

 private:
  static int number_of(const TreeNode* node) { return static_cast<const Numbered*>(node)->number; }
  std::deque<Numbered> nodes_;
};

TEST(LibraryNodes, TreesStayInOrderAndBalanced) {
  EXPECT_TRUE(rc::check([](const std::vector<uint8_t>& numbers) {
    Tree tree;
    std::set<int> expected;
    for (const int number : numbers) {
      if (expected.insert(number % 64).second) {
        tree.insert(number % 64);
      } else {
        expected.erase(number % 64);
        tree.erase(number % 64);
      }
      RC_ASSERT(tree.forwards() == std::vector<int>(expected.begin(), expected.end()));
      RC_ASSERT(tree.backwards() == std::vector<int>(expected.rbegin(), expected.rend()));
      const TreeNode* const root = tree.header.parent;
      if (root != nullptr) RC_ASSERT((root->colour == 1 && root->parent == &tree.header));
      Tree::height(root);
    }
  }));
}

TEST(LibraryNodes, ListsAreLinkedAsTheLibraryLinksThem) {
  ListNode end{&end, &end}, nodes[4];
  for (ListNode& node : nodes) list_hook(&node, &end);
  const auto order = [&] {
    std::vector<long> numbers;
    for (ListNode* at = end.next; at != &end; at = at->next) {
      EXPECT_EQ(at->next->previous, at);
      numbers.push_back(at - nodes);
    }
    return numbers;
  };
  EXPECT_EQ(order(), (std::vector<long>{0, 1, 2, 3}));
  list_transfer(&nodes[0], &nodes[2], &end);
  EXPECT_EQ(order(), (std::vector<long>{2, 3, 0, 1}));
  list_transfer(&nodes[0], &nodes[2], &nodes[0]);
  EXPECT_EQ(order(), (std::vector<long>{2, 3, 0, 1}));
  list_unhook(&nodes[3]);
  EXPECT_EQ(order(), (std::vector<long>{2, 0, 1}));
}

}  // namespace
}  // namespace heddle::rt
