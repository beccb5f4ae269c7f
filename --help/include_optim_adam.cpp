#include <etna/optim/adam.hpp>
int main() {}
