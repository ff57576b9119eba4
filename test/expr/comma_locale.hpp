// A locale in which 1.5 is written 1,5, for as long as the object lives: made in a folder of its own, so that none has
// to be installed.
#pragma once

#include <gtest/gtest.h>

#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace rattleback {

class CommaLocale {
  public:
    CommaLocale() : before_(std::setlocale(LC_NUMERIC, nullptr)) {
        std::string name = std::filesystem::temp_directory_path() / "rattleback_locale_XXXXXX";
        folder_ = mkdtemp(name.data());
        const std::string command = "localedef -i de_DE -f UTF-8 " + (folder_ / "de_DE.UTF-8").string();
        EXPECT_EQ(std::system(command.c_str()), 0) << command << ": the package locales is missing";
        setenv("LOCPATH", folder_.c_str(), 1);
        EXPECT_NE(std::setlocale(LC_NUMERIC, "de_DE.UTF-8"), nullptr);
        EXPECT_STREQ(std::localeconv()->decimal_point, ",");
    }
    ~CommaLocale() {
        std::setlocale(LC_NUMERIC, before_.c_str());
        unsetenv("LOCPATH");
        std::filesystem::remove_all(folder_);
    }
    CommaLocale(const CommaLocale&) = delete;
    CommaLocale& operator=(const CommaLocale&) = delete;

  private:
    std::string before_;
    std::filesystem::path folder_;
};

} // namespace rattleback
