#include <etna/nn/dropout.hpp>
int main() {}
