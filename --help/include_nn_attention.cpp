#include <etna/nn/attention.hpp>
int main() {}
