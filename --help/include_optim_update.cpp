#include <etna/optim/update.hpp>
int main() {}
