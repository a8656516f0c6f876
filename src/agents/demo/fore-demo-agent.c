/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/demo/fore-demo-live.h"
#include "agents/demo/fore-demo-player.h"
#include "agents/demo/fore-demo-scenario.h"
#include "platform/fore-process.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROMPT_LIMIT (16 * 1024 * 1024)

typedef struct
{
  JsonNode *scenario;
  const char *task;
  guint attempt;
  DemoPlayer player;
} Agent;

static char *
read_prompt (void)
{
  GString *text = g_string_new (NULL);
  char buffer[65536];
  gssize n;

  while (text->len < PROMPT_LIMIT && (n = read (STDIN_FILENO, buffer, sizeof buffer)) > 0)
    g_string_append_len (text, buffer, n);

  return g_string_free (text, FALSE);
}

static double
read_speed (void)
{
  const char *text = g_getenv ("FOREDECK_DEMO_SPEED");
  double speed = text != NULL && text[0] != '\0' ? g_ascii_strtod (text, NULL) : 1;

  return speed >= 0 ? speed : 1;
}

static void
play (Agent *agent, const char *prompt)
{
  demo_player_play (&agent->player, demo_scenario_find_steps (agent->scenario, agent->task,
                                                              agent->attempt, prompt));
  if (!agent->player.output->failed)
    agent->player.output->finish (agent->player.output);
}

/* What is said after the first prompt gets a short answer. */
static void
follow_up (Agent *agent, const char *prompt)
{
  DemoOutput *output = agent->player.output;
  g_autofree char *id = g_strdup_printf ("text-%u", ++agent->player.next_id);
  g_autofree char *text = g_strdup_printf ("Understood: %.200s", prompt);
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  output->text (output, id, valid);
  output->finish (output);
}

static int
run_live (Agent *agent)
{
  DemoLive *live = demo_live_new ();
  gboolean first = TRUE;
  char *prompt;

  agent->player.output = (DemoOutput *) live;
  while ((prompt = demo_live_next_prompt (live)) != NULL)
    {
      if (first)
        play (agent, prompt);
      else
        follow_up (agent, prompt);
      first = FALSE;
      g_free (prompt);
    }
  agent->player.output->free (agent->player.output);

  return 0;
}

static int
run_one_shot (Agent *agent)
{
  g_autofree char *prompt = read_prompt ();
  gboolean failed;

  agent->player.output = demo_lines_new (demo_scenario_get_model (agent->scenario));
  play (agent, prompt);
  if (agent->player.output->failed)
    agent->player.output->finish (agent->player.output);

  failed = agent->player.output->failed;
  agent->player.output->free (agent->player.output);

  return failed ? 1 : 0;
}

static guint
read_attempt (void)
{
  const char *text = g_getenv (FORE_MARKER_ATTEMPT);

  return text != NULL ? (guint) g_ascii_strtoull (text, NULL, 10) : 1;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  gboolean live = FALSE;
  gboolean version = FALSE;
  Agent agent = { 0 };
  int result;
  const GOptionEntry options[] = {
    { "scenario", 0, 0, G_OPTION_ARG_FILENAME, &path, "scenario to play", "FILE" },
    { "live", 0, 0, G_OPTION_ARG_NONE, &live, "speak the Agent Client Protocol", NULL },
    { "version", 0, 0, G_OPTION_ARG_NONE, &version, "print the version", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);

  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    {
      g_printerr ("%s\n", error->message);
      return 2;
    }

  if (version)
    {
      g_print ("foredeck-demo-agent " FORE_VERSION "\n");
      return 0;
    }

  agent.scenario = path != NULL ? demo_scenario_load (path, &error) : NULL;
  if (agent.scenario == NULL)
    {
      g_printerr ("%s\n", error != NULL ? error->message : "--scenario FILE is missing");
      return 2;
    }

  agent.task = g_getenv (FORE_MARKER_TASK) != NULL ? g_getenv (FORE_MARKER_TASK) : "";
  agent.attempt = read_attempt ();
  agent.player.speed = read_speed ();

  result = live ? run_live (&agent) : run_one_shot (&agent);
  json_node_unref (agent.scenario);

  return result;
}
