/*
 * Preloaded into the service: appends to the file that POWER_LOG names a record of everything that changes a file, a
 * name or a folder below POWER_ROOT, of every sync (when it began and when it was over), and of the first bytes of each
 * answer that goes out on a TCP socket, in one order. `recording.mjs` reads it; `prove:power` compares what the records add up
 * to with the folder itself, so that a call that is not caught here is found out.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { OPEN = 1, WRITE, TRUNCATE, SYNC_BEGUN, SYNCED, RENAME, LINK, UNLINK, MKDIR, RMDIR, ANSWER, UNKNOWN };

struct head {
  uint32_t length; /* of the record with this head */
  uint32_t kind;
  uint64_t inode;
  uint64_t number; /* OPEN: 1 a folder, 2 cut to nothing; WRITE: offset; TRUNCATE: size; SYNC…: ticket; ANSWER: peer's port */
  uint32_t first;  /* bytes of the first and of the second text or data behind the head */
  uint32_t second;
};

#define SLOTS (1 << 16)
static uint64_t followed[SLOTS]; /* inodes below the root; open addressing, 0 is free, 1 was given up */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static int log_fd = -1;
static char root[PATH_MAX];
static size_t root_length;
static dev_t device;
static uint64_t tickets;
static char *end_file;
static char kept[3][PATH_MAX]; /* what processes that are started need, to be recorded too */

#define REAL(name) ((__typeof__(&name))real(#name))
static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

static void take_turn(void) { pthread_mutex_lock(&turn); }
static void give_turn(void) { pthread_mutex_unlock(&turn); }

/* Ends the process as SIGKILL does, but between two records: what it has done and what is on record are the same. */
static void *await_end(void *unused) {
  char byte;
  int fd = syscall(SYS_openat, AT_FDCWD, end_file, O_RDONLY | O_CLOEXEC, 0);
  while (fd >= 0 && syscall(SYS_read, fd, &byte, 1) != 1) {}
  pthread_mutex_lock(&turn);
  kill(getpid(), SIGKILL);
  for (;;) pause();
  return unused;
}

__attribute__((constructor)) static void begin(void) {
  const char *file = getenv("POWER_LOG"), *below = getenv("POWER_ROOT");
  struct stat found;
  pthread_t ending;
  if (!file || !below || stat(below, &found) != 0) return;
  device = found.st_dev;
  snprintf(kept[0], PATH_MAX, "%s", getenv("LD_PRELOAD"));
  snprintf(kept[1], PATH_MAX, "%s", file);
  snprintf(kept[2], PATH_MAX, "%s", below);
  snprintf(root, sizeof root, "%s", below);
  root_length = strlen(root);
  log_fd = syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  tickets = (uint64_t)getpid() << 32;
  pthread_atfork(take_turn, give_turn, give_turn);
  if ((end_file = getenv("POWER_END"))) {
    end_file = strdup(end_file);
    /* Only the service gets the signal; its children end with it. */
    unsetenv("POWER_END");
    pthread_create(&ending, NULL, await_end, NULL);
  }
}

static void append(uint32_t kind, uint64_t inode, uint64_t number, const void *first, size_t n1, const void *second, size_t n2) {
  struct head head = {(uint32_t)(sizeof head + n1 + n2), kind, inode, number, (uint32_t)n1, (uint32_t)n2};
  struct iovec parts[3] = {{&head, sizeof head}, {(void *)first, n1}, {(void *)second, n2}};
  if (syscall(SYS_writev, log_fd, parts, 3) != (long)head.length) abort();
}

static size_t slot_of(uint64_t inode) {
  size_t at = (inode * 0x9e3779b97f4a7c15ull) >> 48;
  while (followed[at % SLOTS] != 0 && followed[at % SLOTS] != inode) at++;
  return at % SLOTS;
}

/* An inode outside the root may have been one below it before. */
static void follow(uint64_t inode, int below) {
  size_t at = slot_of(inode);
  if (below) followed[at] = inode;
  else if (followed[at] == inode) followed[at] = 1;
}

static int is_below(const char *path) {
  return strncmp(path, root, root_length) == 0 && (path[root_length] == '/' || path[root_length] == 0);
}

/* The whole path in `out`; whether it lies below the root. */
static int placed(int at, const char *path, char *out) {
  if (log_fd < 0) return 0;
  if (path[0] == '/') snprintf(out, PATH_MAX, "%s", path);
  else {
    char base[PATH_MAX];
    if (at == AT_FDCWD) {
      if (!getcwd(base, sizeof base)) return 0;
    } else {
      char link[64];
      snprintf(link, sizeof link, "/proc/self/fd/%d", at);
      ssize_t n = readlink(link, base, sizeof base - 1);
      if (n < 0) return 0;
      base[n] = 0;
    }
    if (snprintf(out, PATH_MAX, "%s/%s", base, path) >= PATH_MAX) return 0;
  }
  if (!is_below(out)) return 0;
  if (strstr(out, "/../") || strstr(out, "/./")) append(UNKNOWN, 0, 0, out, strlen(out), "", 0);
  return 1;
}

/* The inode behind a descriptor when it is followed, else 0; a TCP socket's peer goes to `port`. */
static uint64_t behind(int fd, uint64_t *port) {
  struct stat found;
  int kept = errno;
  uint64_t inode = 0;
  if (log_fd >= 0 && fstat(fd, &found) == 0) {
    if (S_ISSOCK(found.st_mode) && port) {
      struct sockaddr_in peer;
      socklen_t size = sizeof peer;
      if (getpeername(fd, (struct sockaddr *)&peer, &size) == 0 && peer.sin_family == AF_INET) *port = ntohs(peer.sin_port);
    } else if (found.st_dev == device && followed[slot_of(found.st_ino)] == found.st_ino) inode = found.st_ino;
  }
  errno = kept;
  return inode;
}

static void opened(int fd, int below, const char *path, int flags) {
  struct stat found;
  int kept = errno;
  if (fd >= 0 && log_fd >= 0 && fstat(fd, &found) == 0 && found.st_dev == device) {
    follow(found.st_ino, below);
    uint64_t number = (S_ISDIR(found.st_mode) ? 1 : 0) | (flags & O_TRUNC ? 2 : 0);
    if (below) append(OPEN, found.st_ino, number, path, strlen(path), "", 0);
  }
  errno = kept;
}

static int open_at(int at, const char *path, int flags, mode_t mode) {
  char whole[PATH_MAX];
  if (log_fd < 0) return syscall(SYS_openat, at, path, flags, mode);
  pthread_mutex_lock(&turn);
  int below = placed(at, path, whole);
  int fd = syscall(SYS_openat, at, path, flags, mode);
  opened(fd, below, whole, flags);
  pthread_mutex_unlock(&turn);
  return fd;
}

#define MODE(flags)                                                     \
  mode_t mode = 0;                                                      \
  if ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE) {          \
    va_list rest;                                                       \
    va_start(rest, flags);                                              \
    mode = va_arg(rest, mode_t);                                        \
    va_end(rest);                                                       \
  }

int open(const char *path, int flags, ...) { MODE(flags) return open_at(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags) return open_at(AT_FDCWD, path, flags | O_LARGEFILE, mode); }
int openat(int at, const char *path, int flags, ...) { MODE(flags) return open_at(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE(flags) return open_at(at, path, flags | O_LARGEFILE, mode); }
int creat(const char *path, mode_t mode) { return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int creat64(const char *path, mode_t mode) { return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

/* The bytes that were written, joined; the caller frees them. */
static char *joined(const struct iovec *parts, int count, size_t length) {
  char *bytes = malloc(length ? length : 1), *to = bytes;
  for (int i = 0; i < count && length > 0; i++) {
    size_t n = parts[i].iov_len < length ? parts[i].iov_len : length;
    memcpy(to, parts[i].iov_base, n);
    to += n;
    length -= n;
  }
  return bytes;
}

/* `offset` -1: where the descriptor stands. An answer is on record before a byte of it can leave. */
static ssize_t write_parts(int fd, const struct iovec *parts, int count, off_t offset) {
  uint64_t port = 0, inode = behind(fd, &port);
  if (!inode && !port)
    return offset < 0 ? syscall(SYS_writev, fd, parts, count) : syscall(SYS_pwritev, fd, parts, count, (long)offset, 0L);
  pthread_mutex_lock(&turn);
  if (port && count > 0 && parts[0].iov_len > 9 && memcmp(parts[0].iov_base, "HTTP/1.1 ", 9) == 0)
    append(ANSWER, 0, port, parts[0].iov_base, 12, "", 0);
  ssize_t done = offset < 0 ? syscall(SYS_writev, fd, parts, count) : syscall(SYS_pwritev, fd, parts, count, (long)offset, 0L);
  if (inode && done > 0) {
    int kept = errno;
    off_t start = offset < 0 ? lseek(fd, 0, SEEK_CUR) - done : offset;
    char *bytes = joined(parts, count, done);
    append(WRITE, inode, start, bytes, done, "", 0);
    free(bytes);
    errno = kept;
  }
  pthread_mutex_unlock(&turn);
  return done;
}

ssize_t write(int fd, const void *data, size_t n) { struct iovec one = {(void *)data, n}; return write_parts(fd, &one, 1, -1); }
ssize_t writev(int fd, const struct iovec *parts, int count) { return write_parts(fd, parts, count, -1); }
ssize_t pwrite(int fd, const void *data, size_t n, off_t at) { struct iovec one = {(void *)data, n}; return write_parts(fd, &one, 1, at); }
ssize_t pwrite64(int fd, const void *data, size_t n, off64_t at) { struct iovec one = {(void *)data, n}; return write_parts(fd, &one, 1, at); }
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) { return write_parts(fd, parts, count, at); }
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t at) { return write_parts(fd, parts, count, at); }

/* Writes before the beginning of a sync are durable once it is over. */
static int sync_fd(int fd, int (*sync)(int)) {
  uint64_t inode = behind(fd, NULL), ticket = 0;
  if (inode) {
    pthread_mutex_lock(&turn);
    ticket = ++tickets;
    append(SYNC_BEGUN, inode, ticket, "", 0, "", 0);
    pthread_mutex_unlock(&turn);
  }
  int result = sync(fd);
  if (inode && result == 0) {
    pthread_mutex_lock(&turn);
    append(SYNCED, inode, ticket, "", 0, "", 0);
    pthread_mutex_unlock(&turn);
  }
  return result;
}

int fsync(int fd) { return sync_fd(fd, REAL(fsync)); }
int fdatasync(int fd) { return sync_fd(fd, REAL(fdatasync)); }

static int cut(int fd, off_t size) {
  uint64_t inode = behind(fd, NULL);
  pthread_mutex_lock(&turn);
  int result = syscall(SYS_ftruncate, fd, size);
  if (inode && result == 0) append(TRUNCATE, inode, size, "", 0, "", 0);
  pthread_mutex_unlock(&turn);
  return result;
}
int ftruncate(int fd, off_t size) { return cut(fd, size); }
int ftruncate64(int fd, off64_t size) { return cut(fd, size); }

/* Calls that change names: the call itself and its record in one turn. */
#define NAMES(kind, call, at1, path1, at2, path2)                                             \
  char one[PATH_MAX], two[PATH_MAX];                                                          \
  pthread_mutex_lock(&turn);                                                                  \
  int below1 = placed(at1, path1, one), below2 = path2 ? placed(at2, path2, two) : 0;         \
  int result = call;                                                                          \
  if (result == 0 && (below1 || below2)) {                                                    \
    int kept = errno;                                                                         \
    append(kind, 0, 0, below1 ? one : "", below1 ? strlen(one) : 0, below2 ? two : "", below2 ? strlen(two) : 0); \
    errno = kept;                                                                             \
  }                                                                                           \
  pthread_mutex_unlock(&turn);                                                                \
  return result;

#define NONE ((const char *)NULL)
int rename(const char *from, const char *to) { NAMES(RENAME, syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0), AT_FDCWD, from, AT_FDCWD, to) }
int renameat(int a, const char *from, int b, const char *to) { NAMES(RENAME, syscall(SYS_renameat2, a, from, b, to, 0), a, from, b, to) }
int renameat2(int a, const char *from, int b, const char *to, unsigned flags) { NAMES(flags > 1 ? UNKNOWN : RENAME, syscall(SYS_renameat2, a, from, b, to, flags), a, from, b, to) }
int link(const char *from, const char *to) { NAMES(LINK, syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0), AT_FDCWD, from, AT_FDCWD, to) }
int linkat(int a, const char *from, int b, const char *to, int flags) { NAMES(LINK, syscall(SYS_linkat, a, from, b, to, flags), a, from, b, to) }
int unlink(const char *path) { NAMES(UNLINK, syscall(SYS_unlinkat, AT_FDCWD, path, 0), AT_FDCWD, path, AT_FDCWD, NONE) }
int unlinkat(int at, const char *path, int flags) { NAMES(flags & AT_REMOVEDIR ? RMDIR : UNLINK, syscall(SYS_unlinkat, at, path, flags), at, path, AT_FDCWD, NONE) }
int remove(const char *path) { NAMES(UNLINK, REAL(remove)(path), AT_FDCWD, path, AT_FDCWD, NONE) }
int rmdir(const char *path) { NAMES(RMDIR, syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR), AT_FDCWD, path, AT_FDCWD, NONE) }
int mkdir(const char *path, mode_t mode) { NAMES(MKDIR, syscall(SYS_mkdirat, AT_FDCWD, path, mode), AT_FDCWD, path, AT_FDCWD, NONE) }
int mkdirat(int at, const char *path, mode_t mode) { NAMES(MKDIR, syscall(SYS_mkdirat, at, path, mode), at, path, AT_FDCWD, NONE) }
int symlink(const char *to, const char *path) { NAMES(UNKNOWN, syscall(SYS_symlinkat, to, AT_FDCWD, path), AT_FDCWD, path, AT_FDCWD, NONE) }
int truncate(const char *path, off_t size) { NAMES(UNKNOWN, syscall(SYS_truncate, path, size), AT_FDCWD, path, AT_FDCWD, NONE) }
int truncate64(const char *path, off64_t size) { NAMES(UNKNOWN, syscall(SYS_truncate, path, size), AT_FDCWD, path, AT_FDCWD, NONE) }

/* Ways to change a file that nothing here uses: seen, they make the recording worthless, and it says so. */
#define UNSEEN(name, fd, call)                                                \
  if (behind(fd, NULL)) append(UNKNOWN, 0, 0, name, strlen(name), "", 0);     \
  return call;
ssize_t copy_file_range(int in, off64_t *from, int out, off64_t *to, size_t n, unsigned flags) { UNSEEN("copy_file_range", out, syscall(SYS_copy_file_range, in, from, out, to, n, flags)) }
ssize_t sendfile(int out, int in, off_t *at, size_t n) { UNSEEN("sendfile", out, syscall(SYS_sendfile, out, in, at, n)) }
ssize_t sendfile64(int out, int in, off64_t *at, size_t n) { UNSEEN("sendfile", out, syscall(SYS_sendfile, out, in, at, n)) }
int fallocate(int fd, int mode, off_t at, off_t n) { UNSEEN("fallocate", fd, syscall(SYS_fallocate, fd, mode, at, n)) }
int fallocate64(int fd, int mode, off64_t at, off64_t n) { UNSEEN("fallocate", fd, syscall(SYS_fallocate, fd, mode, at, n)) }
int posix_fallocate(int fd, off_t at, off_t n) { UNSEEN("posix_fallocate", fd, syscall(SYS_fallocate, fd, 0, at, n)) }

/* Processes that the service starts are recorded too, into the same log, whatever environment it gives them. */
extern char **environ;
static int execute(const char *file, char *const arguments[], char *const given[]) {
  enum { MOST = 512 };
  static const char *const ours[] = {"LD_PRELOAD", "POWER_LOG", "POWER_ROOT"};
  char *all[MOST + 4], texts[3][PATH_MAX + 16];
  int count = 0;
  for (; given && given[count] && count < MOST; count++) all[count] = given[count];
  for (int i = 0; i < 3 && log_fd >= 0; i++) {
    snprintf(texts[i], sizeof texts[i], "%s=%s", ours[i], kept[i]);
    all[count++] = texts[i];
  }
  all[count] = NULL;
  if (strchr(file, '/')) return syscall(SYS_execve, file, arguments, all);
  return REAL(execvpe)(file, arguments, all);
}
int execvp(const char *file, char *const arguments[]) { return execute(file, arguments, environ); }
int execvpe(const char *file, char *const arguments[], char *const given[]) { return execute(file, arguments, given); }
int execve(const char *file, char *const arguments[], char *const given[]) { return execute(file, arguments, given); }
