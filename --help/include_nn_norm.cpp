#include <etna/nn/norm.hpp>
int main() {}
