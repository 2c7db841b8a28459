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

}  // namespace heddle::rt
