#include <etna/data/mnist.hpp>
int main() {}
