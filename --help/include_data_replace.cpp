#include <etna/data/replace.hpp>
int main() {}
