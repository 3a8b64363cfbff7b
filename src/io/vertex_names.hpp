// Names of vertices as they appear, numbered from 0.
//
// An open-addressed table (linear probing, at most half full) of 8 bytes a slot: 32 bits of the
// hash, and where the name's record stands in an arena that holds all texts one behind the other.
// So a look-up touches two places of memory at random, the slot and the record, and both can be
// asked for before they are needed: a reader of many names waits for neither. `find` changes
// nothing, so that all threads may look up while nobody interns. Hash: a 64 by 64 bit product
// folded, eight bytes at a time (Yi, wyhash, 2019).
#pragma once

#include <apsp/error.hpp>
#include <apsp/graph.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string_view>
#include <vector>

namespace apsp::io {

class VertexNames {
 public:
  static constexpr Vertex kNone = std::numeric_limits<Vertex>::max();

  VertexNames() : slots_(kFirstSlots) {}

  static std::uint64_t hash(std::string_view text) {
    constexpr std::uint64_t kFirst = 0xA0761D6478BD642Fu, kSecond = 0xE7037ED1A0B428DBu;
    const char* at = text.data();
    std::size_t left = text.size();
    std::uint64_t state = kFirst ^ left;
    for (; left > 8; at += 8, left -= 8) state = folded(state ^ word(at, 8), kSecond);
    return folded(state ^ word(at, left), kFirst);
  }

  /// Asks memory for the slot, and some time later for the record, of a name.
  void prefetch_slot(std::uint64_t hash) const { __builtin_prefetch(&slots_[hash & mask()]); }
  void prefetch_record(std::uint64_t hash) const {
    const Slot slot = slots_[hash & mask()];
    if (slot.record != kFree && slot.tag == tag_of(hash)) {
      __builtin_prefetch(record_at(slot.record));
    }
  }
  /// The number of `text`; kNone if it has none. `hash`: that of the text.
  Vertex find(std::string_view text, std::uint64_t hash) const {
    const Slot& slot = slots_[slot_of(text, hash)];
    return slot.record == kFree ? kNone : record_at(slot.record)->vertex;
  }
  /// The number of `text`, which gets the next one if it has none. `at`: where it stands.
  Vertex intern(std::string_view text, std::uint64_t hash, const char* at) {
    std::size_t place = slot_of(text, hash);
    if (slots_[place].record != kFree) return record_at(slots_[place].record)->vertex;
    if (records_.size() == kNone)
      throw Error(ErrorKind::does_not_fit, "more than 2^32 - 1 vertices");
    if (2 * (records_.size() + 1) > slots_.size()) {
      grow();
      place = slot_of(text, hash);
    }
    slots_[place] = {tag_of(hash), add_record(text, at)};
    return static_cast<Vertex>(records_.size() - 1);
  }

  std::size_t count() const { return records_.size(); }
  std::string_view text(Vertex v) const {
    const Record* const record = record_at(records_[v]);
    return {reinterpret_cast<const char*>(record + 1), record->length};
  }
  /// Where in the input.
  const char* first_seen(Vertex v) const { return record_at(records_[v])->first_seen; }

 private:
  static constexpr std::size_t kFirstSlots = 1024;
  static constexpr std::uint32_t kFree = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::size_t kUnit = 16;                          // bytes; records begin there
  static constexpr std::size_t kBlockUnits = std::size_t{1} << 16;  // 1 MiB

  struct Slot {
    std::uint32_t tag = 0;
    std::uint32_t record = kFree;  // its number of units from the arena's beginning
  };
  struct Record {  // the text follows
    const char* first_seen;
    Vertex vertex;
    std::uint32_t length;
  };
  static_assert(sizeof(Record) == kUnit);

  static std::uint64_t folded(std::uint64_t a, std::uint64_t b) {
    __extension__ using Product = unsigned __int128;
    const Product product = Product{a} * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  }
  /// The `count` bytes at `at`, 0 to 8 of them.
  static std::uint64_t word(const char* at, std::size_t count) {
    if (count == 8) return load<std::uint64_t>(at);
    if (count >= 4) {
      return load<std::uint32_t>(at) | std::uint64_t{load<std::uint32_t>(at + count - 4)} << 32;
    }
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < count; ++i) {
      bytes = bytes << 8 | static_cast<unsigned char>(at[i]);
    }
    return bytes;
  }
  template <class T>
  static T load(const char* at) {
    T value;
    std::memcpy(&value, at, sizeof(value));
    return value;
  }

  std::size_t mask() const { return slots_.size() - 1; }
  static std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }
  const Record* record_at(std::uint32_t unit) const {
    return reinterpret_cast<const Record*>(blocks_[unit / kBlockUnits].get() +
                                           unit % kBlockUnits * kUnit);
  }

  /// That of `text`, or the free one where it belongs.
  std::size_t slot_of(std::string_view text, std::uint64_t hash) const {
    std::size_t place = hash & mask();
    for (; slots_[place].record != kFree; place = (place + 1) & mask()) {
      if (slots_[place].tag != tag_of(hash)) continue;
      const Record* const record = record_at(slots_[place].record);
      if (record->length == text.size() && std::memcmp(record + 1, text.data(), text.size()) == 0) {
        break;
      }
    }
    return place;
  }

  /// A record lies within one block; one that is longer has a block of its own.
  std::uint32_t add_record(std::string_view text, const char* at) {
    const std::size_t units = 1 + (text.size() + kUnit - 1) / kUnit;
    if (text.size() > kFree || blocks_.size() >= kFree / kBlockUnits) {
      throw Error(ErrorKind::does_not_fit, "more than 64 GiB of names");
    }
    if (blocks_.empty() || used_ + units > kBlockUnits) {
      const std::size_t bytes = std::max(units, kBlockUnits) * kUnit;
      blocks_.emplace_back(static_cast<std::byte*>(::operator new(bytes)));
      used_ = 0;
    }
    const auto unit = static_cast<std::uint32_t>((blocks_.size() - 1) * kBlockUnits + used_);
    used_ += units;
    auto* const record = new (blocks_.back().get() + unit % kBlockUnits * kUnit)
        Record{at, static_cast<Vertex>(records_.size()), static_cast<std::uint32_t>(text.size())};
    std::memcpy(record + 1, text.data(), text.size());
    records_.push_back(unit);
    return unit;
  }

  void grow() {
    slots_.assign(2 * slots_.size(), Slot{});
    for (Vertex v = 0; v < records_.size(); ++v) {
      const std::uint64_t hashed = hash(text(v));
      slots_[slot_of(text(v), hashed)] = {tag_of(hashed), records_[v]};
    }
  }

  struct Free {
    void operator()(std::byte* memory) const { ::operator delete(memory); }
  };
  std::vector<std::unique_ptr<std::byte, Free>> blocks_;  // of kBlockUnits each
  std::size_t used_ = 0;                                  // units of the last block
  std::vector<std::uint32_t> records_;                    // [vertices]
  std::vector<Slot> slots_;                               // [a power of two]
};

}  // namespace apsp::io
