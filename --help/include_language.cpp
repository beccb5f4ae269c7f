#include <etna/language.hpp>
int main() {}
