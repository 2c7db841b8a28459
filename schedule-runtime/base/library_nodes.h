// The nodes of libstdc++'s std::map, std::set and std::list, and the functions of its library that link them. heddle's own containers need these functions where
// the process has no libstdc++: in a target with libc++ whose engine brings no other library (OSS-Fuzz, AFL++).
#pragma once

namespace heddle::rt {

// As libstdc++'s binary interface has them. A tree's header has the root as its parent, and its first and last node left and right.
struct TreeNode {
  int colour;  // 0: red, as the header is
  TreeNode *parent, *left, *right;
};
struct ListNode {
  ListNode *next, *previous;
};
using TreeLink = TreeNode* TreeNode::*;

TreeNode* tree_next(TreeNode* node);
TreeNode* tree_previous(TreeNode* node);
void tree_insert(bool left, TreeNode* node, TreeNode* parent, TreeNode* header);
// Returns the node that is out of the tree.
TreeNode* tree_erase(TreeNode* node, TreeNode* header);

void list_hook(ListNode* node, ListNode* before);
void list_unhook(ListNode* node);
// [first, last) to before `to`.
void list_transfer(ListNode* to, ListNode* first, ListNode* last);

// The same in steps, as the library's code does it. `Links` reads and changes a link: get(ListNode* const*), set(ListNode**, ListNode*).
template <typename Links>
struct ListSteps {
  Links links;

  void hook(ListNode* node, ListNode* before) const {
    links.set(&node->next, before);
    ListNode* const previous = links.get(&before->previous);
    links.set(&node->previous, previous);
    links.set(&previous->next, node);
    links.set(&before->previous, node);
  }
  void unhook(ListNode* node) const {
    ListNode *const next = links.get(&node->next), *const previous = links.get(&node->previous);
    links.set(&previous->next, next);
    links.set(&next->previous, previous);
  }
  void transfer(ListNode* to, ListNode* first, ListNode* last) const {
    if (to == last) return;
    ListNode* const end = links.get(&last->previous);
    links.set(&end->next, to);
    ListNode* const old = links.get(&first->previous);
    links.set(&old->next, last);
    ListNode* const before = links.get(&to->previous);
    links.set(&before->next, first);
    links.set(&to->previous, end);
    links.set(&last->previous, old);
    links.set(&first->previous, before);
  }
};

}  // namespace heddle::rt
