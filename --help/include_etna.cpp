#include <etna/etna.hpp>
int main() {}
