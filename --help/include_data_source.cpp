#include <etna/data/source.hpp>
int main() {}
