#include <etna/data/shuffle.hpp>
int main() {}
