// The least that plays a file with libVLC: what the engine's processor time is compared with.
#include <semaphore.h>
#include <stdio.h>
#include <sys/resource.h>
#include <vlc/vlc.h>

static sem_t stopped;

static void on_stopped(const struct libvlc_event_t *event, void *data) {
  (void)event;
  (void)data;
  sem_post(&stopped);
}

static double processor_seconds(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_utime.tv_sec + usage.ru_utime.tv_usec / 1e6 + usage.ru_stime.tv_sec + usage.ru_stime.tv_usec / 1e6;
}

int main(int count, char **arguments) {
  double before = processor_seconds();
  if (count != 2) return 2;
  sem_init(&stopped, 0, 0);
  const char *options[] = {"--vout=dummy", "--aout=adummy", "--quiet", "--no-sub-autodetect-file"};
  libvlc_instance_t *instance = libvlc_new(4, options);
  if (instance == NULL) return 69;
  libvlc_media_t *media = libvlc_media_new_path(instance, arguments[1]);
  libvlc_media_add_option(media, ":stop-time=20");
  libvlc_media_player_t *player = libvlc_media_player_new(instance);
  libvlc_event_attach(libvlc_media_player_event_manager(player), libvlc_MediaPlayerStopped, on_stopped, NULL);
  libvlc_media_player_set_media(player, media);
  libvlc_media_player_set_rate(player, 4);
  if (libvlc_media_player_play(player) != 0) return 1;
  sem_wait(&stopped);
  libvlc_event_detach(libvlc_media_player_event_manager(player), libvlc_MediaPlayerStopped, on_stopped, NULL);
  libvlc_media_player_stop(player);
  libvlc_media_player_release(player);
  libvlc_media_release(media);
  libvlc_release(instance);
  printf("%f\n", processor_seconds() - before);
  return 0;
}
