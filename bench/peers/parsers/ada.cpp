// Normalizes URLs with ada: ada WAY LIST ROUNDS [OUT]. bench/peers/parsers.mjs says what it prints and writes.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "ada.h"

static void append_href(std::string_view url, std::string& output) {
  if (auto parsed = ada::parse<ada::url_aggregator>(url)) output += parsed->get_href();
}

int main(int argc, char** argv) {
  using Clock = std::chrono::steady_clock;
  const std::string way = argv[1];
  std::ifstream list(argv[2], std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(list), {}};
  const auto each_line = [&text](auto&& take) {
    for (size_t begin = 0, end; begin < text.size(); begin = end + 1) {
      end = text.find('\n', begin);
      take(std::string_view(text).substr(begin, end - begin));
    }
  };
  std::vector<std::string> urls, results;
  each_line([&](std::string_view line) { urls.emplace_back(line); });
  results.resize(urls.size());
  std::string output;

  const auto run = [&] {
    const auto begin = Clock::now();
    if (way == "lines") {
      output.clear();
      each_line([&](std::string_view line) {
        append_href(line, output);
        output += '\n';
      });
    } else {
      for (size_t row = 0; row < urls.size(); row++) {
        results[row].clear();
        if (way == "strings") append_href(urls[row], results[row]);
        else if (ada::can_parse(urls[row])) results[row] += '1';
      }
    }
    return std::chrono::duration<double, std::nano>(Clock::now() - begin).count() / urls.size();
  };

  const auto warm = Clock::now() + std::chrono::milliseconds(500);
  while (Clock::now() < warm) run();
  std::vector<double> times(std::atoi(argv[3]));
  for (double& time : times) time = run();
  std::sort(times.begin(), times.end());
  std::cout << times.front() << ' ' << times[times.size() / 2] << '\n';
  if (argc > 4) {
    std::ofstream file(argv[4], std::ios::binary);
    file << output;
    if (way != "lines") for (const auto& result : results) file << result << '\n';
  }
}
