// The links of std::map, std::set and std::list. libstdc++ follows and changes them for the program in its shared library, which is not
// instrumented.
//
// Told are accesses that every such call makes; the nodes of a tree that balancing recolours and rotates are left out. Then the library changes the
// tree at once.
#include "base/library_nodes.h"
#include "intercept/library_access.h"

using namespace heddle::rt;

namespace {

constexpr auto kOneLink = [] { return sizeof(void*); };

template <typename Reads>
class Walk {
 public:
  explicit Walk(Reads reads) : reads_(reads) {}

  const TreeNode* follow(const TreeNode* from, TreeLink link) {
    reads_(&(from->*link), kOneLink);
    return from->*link;
  }
  // Goes to the next node in order: `near` is right and `far` is left. For the previous node, the two are swapped.
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
    reads_(&node->colour);
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
  const TreeLink side = left ? &TreeNode::left : &TreeNode::right;
  writes(node);
  reads(&header.parent, kOneLink);
  reads(&(header.*side), kOneLink);
  writes(&(parent->*side), kOneLink);
  if (left && parent == &header) {
    writes(&header.parent, kOneLink);
    writes(&header.right, kOneLink);
  } else if (parent == header.*side) {
    writes(&(header.*side), kOneLink);
  }
}

template <typename Reads, typename Writes>
void erase(TreeNode* node, TreeNode& header, Reads reads, Writes writes) {
  reads(node);
  reads(&header.parent, kOneLink);
  TreeNode* const parent = node->parent;
  writes(header.parent == node ? &header.parent : parent->left == node ? &parent->left : &parent->right, kOneLink);
  if (node->left != nullptr) writes(&node->left->parent, kOneLink);
  if (node->right != nullptr) writes(&node->right->parent, kOneLink);
  if (node->left != nullptr && node->right != nullptr) return;
  reads(&header.left, HEDDLE_BYTES(2 * sizeof(TreeNode*)));
  if (header.left == node) writes(&header.left, kOneLink);
  if (header.right == node) writes(&header.right, kOneLink);
}

// The links of a list, with the program's accesses.
class ToldLinks {
 public:
  explicit ToldLinks(Place place) : reads_(false, place), writes_(true, place) {}
  ListNode* get(ListNode* const* link) const {
    reads_(link);
    return *link;
  }
  void set(ListNode** link, ListNode* to) const {
    writes_(link);
    *link = to;
  }

 private:
  LibraryAccesses reads_, writes_;
};

}  // namespace

// `own` where there is no libstdc++ in the process: heddle's own containers are all that ask then.
#define HEDDLE_NODE_FUNCTION(own, result, name, parameters, arguments, ...)                       \
  static constinit ::heddle::rt::Next<result parameters> next_##name{#name, nullptr, own};        \
  HEDDLE_SHIM result heddle_##name parameters asm(#name);                                         \
  result heddle_##name parameters {                                                               \
    const ::heddle::rt::Place here = HEDDLE_HERE;                                                 \
    HEDDLE_LIBRARY_ACCESSES(asked_in_company, __VA_ARGS__)                                        \
    return next_##name arguments;                                                                 \
  }

static const TreeNode* const_next(const TreeNode* node) { return tree_next(const_cast<TreeNode*>(node)); }
static const TreeNode* const_previous(const TreeNode* node) { return tree_previous(const_cast<TreeNode*>(node)); }

HEDDLE_NODE_FUNCTION(tree_next, TreeNode*, _ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base, (TreeNode * node), (node),
                     Walk(reads).step(node, &TreeNode::right, &TreeNode::left))
HEDDLE_NODE_FUNCTION(const_next, const TreeNode*, _ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base, (const TreeNode* node), (node),
                     Walk(reads).step(node, &TreeNode::right, &TreeNode::left))
HEDDLE_NODE_FUNCTION(tree_previous, TreeNode*, _ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base, (TreeNode * node), (node), Walk(reads).step_back(node))
HEDDLE_NODE_FUNCTION(const_previous, const TreeNode*, _ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base, (const TreeNode* node), (node),
                     Walk(reads).step_back(node))
HEDDLE_NODE_FUNCTION(tree_insert, void, _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_,
                     (bool left, TreeNode* node, TreeNode* parent, TreeNode* header), (left, node, parent, header),
                     insert(left, node, parent, *header, reads, writes))
HEDDLE_NODE_FUNCTION(tree_erase, TreeNode*, _ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_, (TreeNode * node, TreeNode* header),
                     (node, header), erase(node, *header, reads, writes))

// Lists are changed step by step: two threads that change one without a lock can break it in between.
#define HEDDLE_NODE_STEPS(own, name, parameters, arguments, steps)                       \
  static constinit ::heddle::rt::Next<void parameters> next_##name{#name, nullptr, own}; \
  HEDDLE_SHIM void heddle_##name parameters asm(#name);                                  \
  void heddle_##name parameters {                                                        \
    const ::heddle::rt::Place here = HEDDLE_HERE;                                        \
    if (!::heddle::rt::asked_in_company(here)) return next_##name arguments;             \
    ListSteps{ToldLinks(here)}.steps arguments;                                                         \
  }

HEDDLE_NODE_STEPS(list_hook, _ZNSt8__detail15_List_node_base7_M_hookEPS0_, (ListNode * node, ListNode* before), (node, before), hook)
HEDDLE_NODE_STEPS(list_unhook, _ZNSt8__detail15_List_node_base9_M_unhookEv, (ListNode * node), (node), unhook)
HEDDLE_NODE_STEPS(list_transfer, _ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_, (ListNode * to, ListNode* first, ListNode* last), (to, first, last), transfer)
