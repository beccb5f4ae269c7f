#include <etna/data/checkpoint.hpp>
int main() {}
