// Red-black trees as in Cormen, Leiserson, Rivest, Stein: Introduction to Algorithms, chapter 13.
#include "base/library_nodes.h"

#include <utility>

namespace heddle::rt {
namespace {

constexpr int kRed = 0, kBlack = 1;
constexpr TreeLink kLeft = &TreeNode::left, kRight = &TreeNode::right;

bool is_black(const TreeNode* node) { return node == nullptr || node->colour == kBlack; }

TreeNode* outermost(TreeNode* node, TreeLink side) {
  while (node->*side != nullptr) node = node->*side;
  return node;
}

// `from`, in the place that its parent has for it, gives way to `to`.
void put(TreeNode* from, TreeNode* to, TreeNode* header) {
  TreeNode* const parent = from->parent;
  if (parent == header) header->parent = to;
  else if (parent->left == from) parent->left = to;
  else parent->right = to;
  if (to != nullptr) to->parent = parent;
}

// The node goes down on the side `near`, its child on the side `far` up.
void rotate(TreeNode* node, TreeLink near, TreeLink far, TreeNode* header) {
  TreeNode* const up = node->*far;
  node->*far = up->*near;
  if (up->*near != nullptr) (up->*near)->parent = node;
  put(node, up, header);
  up->*near = node;
  node->parent = up;
}

TreeNode* step(TreeNode* node, TreeLink near, TreeLink far) {
  if (node->*near != nullptr) return outermost(node->*near, far);
  TreeNode* above = node->parent;
  while (node == above->*near) {
    node = above;
    above = above->parent;
  }
  // The last one's root has the header above it, whose right is the last one: then `node` is the header.
  return node->*near != above ? above : node;
}

// A black node is missing on the way to `node`, which may be null, below `parent`.
void repair(TreeNode* node, TreeNode* parent, TreeNode* header) {
  while (node != header->parent && is_black(node)) {
    const bool left = node == parent->left;
    const TreeLink near = left ? kLeft : kRight, far = left ? kRight : kLeft;
    TreeNode* sibling = parent->*far;
    if (!is_black(sibling)) {
      sibling->colour = kBlack;
      parent->colour = kRed;
      rotate(parent, near, far, header);
      sibling = parent->*far;
    }
    if (is_black(sibling->left) && is_black(sibling->right)) {
      sibling->colour = kRed;
      node = parent;
      parent = parent->parent;
      continue;
    }
    if (is_black(sibling->*far)) {
      (sibling->*near)->colour = kBlack;
      sibling->colour = kRed;
      rotate(sibling, far, near, header);
      sibling = parent->*far;
    }
    sibling->colour = parent->colour;
    parent->colour = kBlack;
    (sibling->*far)->colour = kBlack;
    rotate(parent, near, far, header);
    break;
  }
  if (node != nullptr) node->colour = kBlack;
}

}  // namespace

TreeNode* tree_next(TreeNode* node) { return step(node, kRight, kLeft); }

TreeNode* tree_previous(TreeNode* node) {
  if (node->colour == kRed && node->parent->parent == node) return node->right;  // from the end
  return step(node, kLeft, kRight);
}

void tree_insert(bool left, TreeNode* node, TreeNode* parent, TreeNode* header) {
  *node = {kRed, parent, nullptr, nullptr};
  (left ? parent->left : parent->right) = node;
  if (parent == header) {
    header->parent = header->left = header->right = node;
  } else if (left && parent == header->left) {
    header->left = node;
  } else if (!left && parent == header->right) {
    header->right = node;
  }
  while (node != header->parent && !is_black(node->parent)) {
    TreeNode* const above = node->parent->parent;
    const bool on_left = node->parent == above->left;
    const TreeLink near = on_left ? kLeft : kRight, far = on_left ? kRight : kLeft;
    TreeNode* const uncle = above->*far;
    if (!is_black(uncle)) {
      node->parent->colour = uncle->colour = kBlack;
      above->colour = kRed;
      node = above;
      continue;
    }
    if (node == node->parent->*far) {
      node = node->parent;
      rotate(node, near, far, header);
    }
    node->parent->colour = kBlack;
    above->colour = kRed;
    rotate(above, far, near, header);
  }
  header->parent->colour = kBlack;
}

TreeNode* tree_erase(TreeNode* node, TreeNode* header) {
  if (header->left == node) header->left = node->right != nullptr ? outermost(node->right, kLeft) : node->parent;
  if (header->right == node) header->right = node->left != nullptr ? outermost(node->left, kRight) : node->parent;
  TreeNode *moved, *parent;  // what comes where a node is missing, and what is above that
  int missing = node->colour;
  if (node->left == nullptr || node->right == nullptr) {
    moved = node->left != nullptr ? node->left : node->right;
    parent = node->parent;
    put(node, moved, header);
  } else {
    TreeNode* const next = outermost(node->right, kLeft);
    moved = next->right;
    parent = next->parent == node ? next : next->parent;
    if (next->parent != node) {
      put(next, moved, header);
      next->right = node->right;
      next->right->parent = next;
    }
    put(node, next, header);
    next->left = node->left;
    next->left->parent = next;
    std::swap(next->colour, missing);
  }
  if (missing == kBlack) repair(moved, parent, header);
  return node;
}

namespace {

struct PlainLinks {
  ListNode* get(ListNode* const* link) const { return *link; }
  void set(ListNode** link, ListNode* to) const { *link = to; }
};
constexpr ListSteps<PlainLinks> kPlain = {};

}  // namespace

void list_hook(ListNode* node, ListNode* before) { kPlain.hook(node, before); }
void list_unhook(ListNode* node) { kPlain.unhook(node); }
void list_transfer(ListNode* to, ListNode* first, ListNode* last) { kPlain.transfer(to, first, last); }

}  // namespace heddle::rt
