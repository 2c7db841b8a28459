// An image that several views share; the last view should free it. The finding needs an order of accesses to ordinary variables in a function that
// is inlined: each of its lines is at two positions of the code, and few runs reach both.
#include <heddle/heddle.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

struct Image {
  std::atomic<int> users{1};
  unsigned char* pixels;
  std::size_t size;
};

Image* make_image(std::size_t size) {
  auto* image = new Image;
  image->pixels = new unsigned char[size];
  image->size = size;
  std::memset(image->pixels, 7, size);
  return image;
}
void free_image(Image* image) {
  delete[] image->pixels;
  delete image;
}
void retain(Image* image) { ++image->users; }
void release(Image* image) {
  --image->users;
  if (image->users == 0) free_image(image);
}

class View {
 public:
  explicit View(Image* image) : image_(image) { retain(image_); }
  ~View() { release(image_); }
  int sum() const {
    int total = 0;
    for (std::size_t i = 0; i < image_->size; ++i) total += image_->pixels[i];
    return total;
  }

 private:
  Image* image_;
};

HEDDLE_FUZZ_TEST(freed_twice) {
  Image* image = make_image(4);
  std::vector<std::thread> painters;
  for (int i = 0; i < 2; ++i) {
    painters.emplace_back([view = std::make_unique<View>(image)]() mutable {
      if (view->sum() != 28) __builtin_trap();
      view.reset();
    });
  }
  release(image);
  for (auto& p : painters) p.join();
}
