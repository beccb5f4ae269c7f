#include <etna/optim/sgd.hpp>
int main() {}
