#include <etna/data/safetensors.hpp>
int main() {}
