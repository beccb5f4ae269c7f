#include <etna/nn/activation.hpp>
int main() {}
