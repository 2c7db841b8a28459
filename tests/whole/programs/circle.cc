// Two threads move the same node of a list to its front. When one has done so between the other's two steps, the node points to itself, and who goes over the
// list goes on for ever. That it counts keeps it from being a livelock.
#include <thread>

struct Node {
  int value;
  Node* next;
};
static Node* head;

static void move_to_front(Node* node) {
  Node** at = &head;
  while (*at != nullptr && *at != node) at = &(*at)->next;
  if (*at != nullptr) *at = node->next;
  node->next = head;
  head = node;
}

static volatile int visited;

static int sum() {
  int all = 0;
  for (const Node* n = head; n != nullptr; n = n->next) {
    all += n->value;
    visited = visited + 1;
  }
  return all;
}

int main() {
  Node nodes[3] = {{1, nodes + 1}, {1, nodes + 2}, {1, nullptr}};
  head = nodes;
  std::thread one(move_to_front, nodes + 1), other(move_to_front, nodes + 1);
  one.join();
  other.join();
  return sum() == 0;
}
