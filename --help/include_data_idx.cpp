#include <etna/data/idx.hpp>
int main() {}
