// SPDX-License-Identifier: BSD-3-Clause
// Looks at what the objects of a process refer to, before its main begins.
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "probe/stubs.h"

#if defined(__x86_64__)
#define IS_ADDRESS(type) ((type) == R_X86_64_GLOB_DAT || (type) == R_X86_64_64)
#elif defined(__aarch64__)
#define IS_ADDRESS(type) ((type) == R_AARCH64_GLOB_DAT || (type) == R_AARCH64_ABS64)
#else
#define IS_ADDRESS(type) 0
#endif

// Relocations that name a symbol; those that do not are left out as far as they come first.
struct Table {
  const ElfW(Rela) * entries;
  size_t count;
};

struct Object {
  ElfW(Addr) base;
  const ElfW(Phdr) * headers;
  size_t header_count;
  const ElfW(Sym) * symbols;
  const char* strings;
  struct Table data, calls;
};

// Objects with a weak reference to one of our names: usually none.
enum { kMost = 16 };
struct Found {
  struct Object objects[kMost];
  int count;
  int calls;  // whether any object refers to functions like ours
};

static int is_weak_reference(const ElfW(Sym) * symbol) {
  return symbol->st_shndx == SHN_UNDEF && ELF64_ST_BIND(symbol->st_info) == STB_WEAK;
}

static int starts_like_ours(const char* name) {
  return strncmp(name, "MPI_", 4) == 0 || strncmp(name, "mpi_", 4) == 0 ||
         strncmp(name, "GOMP_", 5) == 0 || strncmp(name, "__kmpc_", 7) == 0;
}

static int is_ours(const char* name) {
  if (!starts_like_ours(name)) return 0;
  for (uint32_t i = 0; i < launchwise_stubs; ++i)
    if (strcmp(name, launchwise_name(i)) == 0) return 1;
  return 0;
}

static const ElfW(Dyn) * dynamic_of(const struct dl_phdr_info* info) {
  for (size_t i = 0; i < info->dlpi_phnum; ++i)
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
      return (const ElfW(Dyn)*)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
  return NULL;
}

// The C library has made these addresses absolute, but not those of the vDSO.
static const void* absolute(ElfW(Addr) base, ElfW(Addr) address) {
  return (const void*)(address < base ? base + address : address);
}

static int describe(const struct dl_phdr_info* info, struct Object* object) {
  const ElfW(Dyn)* entry = dynamic_of(info);
  if (entry == NULL) return 0;
  memset(object, 0, sizeof *object);
  object->base = info->dlpi_addr;
  object->headers = info->dlpi_phdr;
  object->header_count = info->dlpi_phnum;
  size_t relative = 0;
  for (; entry->d_tag != DT_NULL; ++entry) {
    const void* const at = absolute(info->dlpi_addr, entry->d_un.d_ptr);
    const size_t value = entry->d_un.d_val;
    switch (entry->d_tag) {
      case DT_SYMTAB:
        object->symbols = at;
        break;
      case DT_STRTAB:
        object->strings = at;
        break;
      case DT_RELA:
        object->data.entries = at;
        break;
      case DT_RELASZ:
        object->data.count = value / sizeof(ElfW(Rela));
        break;
      case DT_RELACOUNT:
        relative = value;
        break;
      case DT_JMPREL:
        object->calls.entries = at;
        break;
      case DT_PLTRELSZ:
        object->calls.count = value / sizeof(ElfW(Rela));
        break;
      default:
        break;
    }
  }
  if (object->data.entries == NULL || relative > object->data.count) object->data.count = 0;
  if (object->calls.entries == NULL) object->calls.count = 0;
  if (object->data.count > 0) {
    object->data.entries += relative;
    object->data.count -= relative;
  }
  return object->symbols != NULL && object->strings != NULL;
}

struct References {
  int weak, strong;
};

static void look_at_table(const struct Object* object, const struct Table* table,
                          struct References* references) {
  for (size_t i = 0; i < table->count; ++i) {
    const ElfW(Sym)* const symbol = &object->symbols[ELF64_R_SYM(table->entries[i].r_info)];
    const char* const name = object->strings + symbol->st_name;
    if (symbol->st_shndx != SHN_UNDEF || !starts_like_ours(name)) continue;
    if (!is_weak_reference(symbol))
      references->strong = 1;
    else if (!references->weak)
      references->weak = is_ours(name);
  }
}

static int look_at(struct dl_phdr_info* info, size_t size, void* data) {
  (void)size;
  struct Found* const found = data;
  struct Object* const object = &found->objects[found->count];
  struct References references = {0, 0};
  if (!describe(info, object)) return 0;
  look_at_table(object, &object->data, &references);
  look_at_table(object, &object->calls, &references);
  found->calls |= references.strong;
  found->count += references.weak;
  return found->count == kMost;
}

static int is_read_only(const struct Object* object, ElfW(Addr) address) {
  for (size_t i = 0; i < object->header_count; ++i) {
    const ElfW(Phdr)* const header = &object->headers[i];
    const ElfW(Addr) start = object->base + header->p_vaddr;
    if (header->p_type == PT_GNU_RELRO && address >= start && address < start + header->p_memsz)
      return 1;
  }
  return 0;
}

static void clear(const struct Object* object, ElfW(Addr) address, ElfW(Addr) value) {
  const size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
  void* const page = (void*)(address & ~(ElfW(Addr))(bytes - 1));
  const int read_only = is_read_only(object, address);
  if (read_only && mprotect(page, bytes, PROT_READ | PROT_WRITE) != 0) return;
  *(ElfW(Addr)*)address = value;
  if (read_only) mprotect(page, bytes, PROT_READ);
}

static void mend(const struct Object* object) {
  for (size_t i = 0; i < object->data.count; ++i) {
    const ElfW(Rela)* const relocation = &object->data.entries[i];
    if (!IS_ADDRESS(ELF64_R_TYPE(relocation->r_info))) continue;
    const ElfW(Sym)* const symbol = &object->symbols[ELF64_R_SYM(relocation->r_info)];
    if (!is_weak_reference(symbol)) continue;
    const char* const name = object->strings + symbol->st_name;
    if (!is_ours(name) || dlsym(RTLD_DEFAULT, name) != NULL) continue;
    clear(object, object->base + relocation->r_offset, (ElfW(Addr))relocation->r_addend);
  }
}

int launchwise_survey(void) {
  struct Found found;
  found.count = found.calls = 0;
  dl_iterate_phdr(look_at, &found);
  for (int i = 0; i < found.count; ++i) mend(&found.objects[i]);
  if (found.count > 0) dlerror();
  return found.calls;
}
