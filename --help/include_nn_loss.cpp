#include <etna/nn/loss.hpp>
int main() {}
