// The links of std::map, std::set and std::list: libstdc++ follows and changes them in its own code, which is not instrumented, for the
// program.
//
// Told are accesses that every such call makes; the nodes of a tree that balancing recolours and rotates are left out.
#include "intercept/library_access.h"

using namespace heddle::rt;

namespace {

// As libstdc++'s binary interface has them. A tree's header has the root as its parent, and its first and last node left and right.
struct TreeNode {
  int colour;  // 0: red, as the header is
  TreeNode *parent, *left, *right;
};
struct ListNode {
  ListNode *next, *previous;
};
using TreeLink = TreeNode* TreeNode::*;

template <typename Reads>
class Walk {
 public:
  explicit Walk(Reads reads) : reads_(reads) {}

  const TreeNode* follow(const TreeNode* from, TreeLink link) {
    reads_(&(from->*link), HEDDLE_BYTES(sizeof(TreeNode*)));
    return from->*link;
  }
  // To the neighbour in order: `near` is right and `far` left for the one after, the other way round for the one before.
  void step(const TreeNode* node, TreeLink near, TreeLink far) {
    if (const TreeNode* below = follow(node, near)) {
      while (below != nullptr) below = follow(below, far);
      return;
    }
    const TreeNode* above = follow(node, &TreeNode::parent);
    while (node == follow(above, near)) {
      node = above;
      above = follow(above, &TreeNode::parent);
    }
  }
  void step_back(const TreeNode* node) {
    reads_(&node->colour, HEDDLE_BYTES(sizeof node->colour));
    if (node->colour == 0 && follow(follow(node, &TreeNode::parent), &TreeNode::parent) == node) {
      follow(node, &TreeNode::right);  // from the end
    } else {
      step(node, &TreeNode::left, &TreeNode::right);
    }
  }

 private:
  Reads reads_;
};

template <typename Reads, typename Writes>
void insert(bool left, TreeNode* node, TreeNode* parent, TreeNode& header, Reads reads, Writes writes) {
  const auto one = HEDDLE_BYTES(sizeof(TreeNode*));
  const TreeLink side = left ? &TreeNode::left : &TreeNode::right;
  writes(node, HEDDLE_BYTES(sizeof *node));
  reads(&header.parent, one);
  reads(&(header.*side), one);
  writes(&(parent->*side), one);
  if (left && parent == &header) {
    writes(&header.parent, one);
    writes(&header.right, one);
  } else if (parent == header.*side) {
    writes(&(header.*side), one);
  }
}

template <typename Reads, typename Writes>
void erase(TreeNode* node, TreeNode& header, Reads reads, Writes writes) {
  const auto one = HEDDLE_BYTES(sizeof(TreeNode*));
  reads(node, HEDDLE_BYTES(sizeof *node));
  reads(&header.parent, one);
  TreeNode* const parent = node->parent;
  writes(header.parent == node ? &header.parent : parent->left == node ? &parent->left : &parent->right, one);
  if (node->left != nullptr) writes(&node->left->parent, one);
  if (node->right != nullptr) writes(&node->right->parent, one);
  if (node->left != nullptr && node->right != nullptr) return;
  reads(&header.left, HEDDLE_BYTES(2 * sizeof(TreeNode*)));
  if (header.left == node) writes(&header.left, one);
  if (header.right == node) writes(&header.right, one);
}

}  // namespace

#define HEDDLE_NODE_FUNCTION(...) HEDDLE_LIBRARY_FUNCTION_IF(asked_in_company, __VA_ARGS__)

HEDDLE_NODE_FUNCTION(TreeNode*, _ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base, (TreeNode * node), (node),
                     Walk(reads).step(node, &TreeNode::right, &TreeNode::left))
HEDDLE_NODE_FUNCTION(const TreeNode*, _ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base, (const TreeNode* node), (node),
                     Walk(reads).step(node, &TreeNode::right, &TreeNode::left))
HEDDLE_NODE_FUNCTION(TreeNode*, _ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base, (TreeNode * node), (node), Walk(reads).step_back(node))
HEDDLE_NODE_FUNCTION(const TreeNode*, _ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base, (const TreeNode* node), (node),
                     Walk(reads).step_back(node))
HEDDLE_NODE_FUNCTION(void, _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_,
                     (bool left, TreeNode* node, TreeNode* parent, TreeNode* header), (left, node, parent, header),
                     insert(left, node, parent, *header, reads, writes))
HEDDLE_NODE_FUNCTION(TreeNode*, _ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_, (TreeNode * node, TreeNode* header),
                     (node, header), erase(node, *header, reads, writes))

HEDDLE_NODE_FUNCTION(void, _ZNSt8__detail15_List_node_base7_M_hookEPS0_, (ListNode * node, ListNode* before), (node, before), {
  const auto one = HEDDLE_BYTES(sizeof(ListNode*));
  writes(node, HEDDLE_BYTES(sizeof *node));
  writes(&before->previous, one);
  writes(&before->previous->next, one);
})
HEDDLE_NODE_FUNCTION(void, _ZNSt8__detail15_List_node_base9_M_unhookEv, (ListNode * node), (node), {
  const auto one = HEDDLE_BYTES(sizeof(ListNode*));
  reads(node, HEDDLE_BYTES(sizeof *node));
  writes(&node->next->previous, one);
  writes(&node->previous->next, one);
})
HEDDLE_NODE_FUNCTION(void, _ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_, (ListNode * to, ListNode* first, ListNode* last),
                     (to, first, last), {
                          const auto one = HEDDLE_BYTES(sizeof(ListNode*));
                          if (to != last) {
                            for (ListNode* node : {to, first, last}) {
                              writes(&node->previous, one);
                              writes(&node->previous->next, one);
                            }
                          }
                        })
