#include <etna/data/batch.hpp>
int main() {}
