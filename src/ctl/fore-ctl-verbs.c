/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-ctl-verbs.h"

#include "model/fore-id.h"

#include <glib/gi18n.h>
#include <string.h>

#define MANY G_MAXUINT
#define END                                                                                        \
  {                                                                                                \
    NULL                                                                                           \
  }

#define PROJECT                                                                                    \
  {                                                                                                \
    "project", FORE_CTL_TEXT, "DIR", N_ ("Folder of the project")                                  \
  }
#define LIMIT                                                                                      \
  {                                                                                                \
    "limit", FORE_CTL_COUNT, "N", N_ ("At most so many rows; 0 for all")                           \
  }
#define CURSOR                                                                                     \
  {                                                                                                \
    "cursor", FORE_CTL_TEXT, "CURSOR", N_ ("Go on after the page that named it")                   \
  }
#define FOLLOW                                                                                     \
  {                                                                                                \
    "follow", FORE_CTL_FLAG, NULL, N_ ("Go on as more happens")                                    \
  }
#define ATTEMPT                                                                                    \
  {                                                                                                \
    "attempt", FORE_CTL_COUNT, "N", N_ ("Which attempt; the newest otherwise")                     \
  }
#define DRY_RUN                                                                                    \
  {                                                                                                \
    "dry-run", FORE_CTL_FLAG, NULL, N_ ("Only say what would be done")                             \
  }
#define YES                                                                                        \
  {                                                                                                \
    "yes", FORE_CTL_FLAG, NULL, N_ ("Do it without asking")                                        \
  }
#define KEEP_WAITING                                                                               \
  {                                                                                                \
    "keep-waiting", FORE_CTL_FLAG, NULL, N_ ("Stay while only an open request holds a run up")     \
  }
#define PLAN_SEEN                                                                                  \
  { "version", FORE_CTL_COUNT, "N", N_ ("Version of the plan that you saw; another is refused") }, \
  {                                                                                                \
    "hash", FORE_CTL_TEXT, "HASH", N_ ("Hash of the plan that you saw; another is refused")        \
  }

/* Of run, and of goal start. */
#define RUN_OPTIONS                                                                                \
  PROJECT,                                                                                         \
      { "workflow", FORE_CTL_TEXT, "NAME|FILE",                                                    \
        N_ ("Workflow of the library, or a file of one") },                                        \
      { "script", FORE_CTL_TEXT, "FILE", N_ ("A script, NAME.crew.lua") },                         \
      { "script-args", FORE_CTL_TEXT, "JSON", N_ ("What the script is given, by name") },          \
      { "team", FORE_CTL_TEXT, "NAME", N_ ("Team of the library") },                               \
      { "agent", FORE_CTL_TEXT, "NAME", N_ ("One agent alone") },                                  \
      { "chain", FORE_CTL_TEXT, "TEXT", N_ ("Agents, workflows and texts one after the other") },  \
      { "plan-file", FORE_CTL_TEXT, "FILE",                                                        \
        N_ ("A plan in Markdown that you wrote, instead of a planner") },                          \
      { "goal-loop", FORE_CTL_FLAG, NULL,                                                          \
        N_ ("Work in turns until the checks pass and a judge says that the goal is achieved") },   \
      { "max-turns", FORE_CTL_COUNT, "N", N_ ("Most turns of a goal loop") },                      \
      { "judge-model", FORE_CTL_TEXT, "MODEL", N_ ("Model that judges a goal loop") },             \
      { "cli", FORE_CTL_TEXT, "NAME", N_ ("Agent CLI for tasks that name none") },                 \
      { "model", FORE_CTL_TEXT, "MODEL", N_ ("Model for tasks that name none") },                  \
      { "isolation", FORE_CTL_CHOICE, "none|worktrees", N_ ("Where tasks write") },                \
      { "approve", FORE_CTL_CHOICE, "ask|auto",                                                    \
        N_ ("Who approves before the first task that writes") },                                   \
      { "on-failure", FORE_CTL_CHOICE, "continue|stop|stop-now|ask",                               \
        N_ ("What a failed task does to the rest") },                                              \
      { "jobs", FORE_CTL_COUNT, "N", N_ ("Agents at work at once") },                              \
      { "budget-tokens", FORE_CTL_COUNT, "N", N_ ("Stop before more tokens are used") },           \
      { "budget-cost", FORE_CTL_COST, "DOLLARS", N_ ("Stop before it costs more") },               \
      { "timeout", FORE_CTL_DURATION, "TIME", N_ ("Longest time the run may take") },              \
      { "base", FORE_CTL_CHOICE, "head|snapshot",                                                  \
        N_ ("Start from the last commit, or take local changes along") },                          \
      { "args", FORE_CTL_TEXT, "JSON",                                                             \
        N_ ("More options of the run, by the name of the setting") },                              \
      { "scenario", FORE_CTL_TEXT, "FILE", N_ ("What the demo agents play") },                     \
      { "detach", FORE_CTL_FLAG, NULL, N_ ("Return once the run is started") }, DRY_RUN,           \
      KEEP_WAITING

static const ForeCtlOption run_options[] = { RUN_OPTIONS, END };

static const ForeCtlOption goal_options[] = {
  { "hint", FORE_CTL_TEXT, "TEXT", N_ ("What the agents of the next turn should know") },
  FOLLOW,
  RUN_OPTIONS,
  END,
};

static const ForeCtlOption schedule_options[] = {
  { "name", FORE_CTL_TEXT, "NAME", N_ ("What to call it") },
  { "make-up", FORE_CTL_FLAG, NULL, N_ ("Start it late if it was missed, once") },
  END,
};

static const ForeCtlOption list_options[] = {
  PROJECT, { "status", FORE_CTL_TEXT, "STATUS", N_ ("Only runs with this status") }, LIMIT, CURSOR,
  END,
};

static const ForeCtlOption page_options[] = { LIMIT, CURSOR, END };

static const ForeCtlOption requests_options[] = {
  { "all", FORE_CTL_FLAG, NULL, N_ ("Answered ones too") },
  LIMIT,
  CURSOR,
  END,
};

static const ForeCtlOption graph_options[] = {
  { "format", FORE_CTL_CHOICE, "text|dot|svg|json", N_ ("How to draw it") },
  END,
};

static const ForeCtlOption events_options[] = {
  { "since", FORE_CTL_COUNT, "SEQ", N_ ("Only events after this number") },
  LIMIT,
  { "cursor", FORE_CTL_COUNT, "CURSOR", N_ ("Go on after the page that named it") },
  FOLLOW,
  END,
};

static const ForeCtlOption messages_options[] = {
  LIMIT,
  { "cursor", FORE_CTL_COUNT, "CURSOR", N_ ("Go on after the page that named it") },
  END,
};

static const ForeCtlOption transcript_options[] = {
  ATTEMPT,
  FOLLOW,
  { "raw", FORE_CTL_FLAG, NULL, N_ ("What the agent printed, byte for byte") },
  END,
};

static const ForeCtlOption prompt_options[] = {
  ATTEMPT,
  { "blocks", FORE_CTL_FLAG, NULL, N_ ("What it is made of, and how many tokens each part has") },
  END,
};

static const ForeCtlOption wait_options[] = {
  { "timeout", FORE_CTL_DURATION, "TIME", N_ ("Give up after so long") },
  KEEP_WAITING,
  END,
};

static const ForeCtlOption approve_options[] = {
  { "plan", FORE_CTL_TEXT, "FILE", N_ ("Approve the plan as it stands in this JSON file") },
  { "option", FORE_CTL_TEXT, "ID", N_ ("Which of the options offered") },
  PLAN_SEEN,
  END,
};

static const ForeCtlOption reject_options[] = {
  { "feedback", FORE_CTL_TEXT, "TEXT", N_ ("Ask for changes instead: what should be different") },
  { "plan", FORE_CTL_TEXT, "FILE", N_ ("Let the planner begin from the plan in this JSON file") },
  PLAN_SEEN,
  END,
};

static const ForeCtlOption answer_options[] = {
  { "option", FORE_CTL_TEXT, "ID", N_ ("Which of the options offered; the text goes with it") },
  PLAN_SEEN,
  END,
};

static const ForeCtlOption follow_options[] = {
  { "follow", FORE_CTL_FLAG, NULL, N_ ("Follow the run afterwards") },
  KEEP_WAITING,
  END,
};

static const ForeCtlOption cancel_options[] = {
  { "all", FORE_CTL_FLAG, NULL, N_ ("Every active run") },
  END,
};

static const ForeCtlOption resume_options[] = {
  { "dry-run", FORE_CTL_FLAG, NULL, N_ ("Only list the tasks that would run again") },
  { "follow", FORE_CTL_FLAG, NULL, N_ ("Follow the run afterwards") },
  KEEP_WAITING,
  END,
};

static const ForeCtlOption plan_options[] = {
  { "version", FORE_CTL_COUNT, "N", N_ ("Which version; the newest otherwise") },
  { "diff", FORE_CTL_COUNT, "N", N_ ("What changed since version N") },
  END,
};

static const ForeCtlOption diff_options[] = {
  { "stat", FORE_CTL_FLAG, NULL, N_ ("Only files and counts") },
  END,
};

static const ForeCtlOption comment_options[] = {
  { "send", FORE_CTL_FLAG, NULL, N_ ("Send what was not sent yet as one follow-up") },
  { "remove", FORE_CTL_TEXT, "ID", N_ ("Remove a comment") },
  END,
};

static const ForeCtlOption merge_options[] = {
  { "into", FORE_CTL_TEXT, "BRANCH",
    N_ ("Where to; the branch that the run started from otherwise") },
  { "squash", FORE_CTL_FLAG, NULL, N_ ("As one commit") },
  { "ff", FORE_CTL_FLAG, NULL, N_ ("Only if the branch can simply move forward") },
  { "check", FORE_CTL_FLAG, NULL,
    N_ ("Run the checks on the merged work first; several runs are always checked") },
  { "no-check", FORE_CTL_FLAG, NULL, N_ ("Merge several runs without running the checks") },
  { "expect", FORE_CTL_TEXT, "COMMIT", N_ ("Only if the branch is at this commit") },
  { "without", FORE_CTL_TEXTS, "PATH",
    N_ ("Leave a file or folder out of each commit, once for each; the whole result is kept "
        "aside") },
  DRY_RUN,
  END,
};

static const ForeCtlOption discard_options[] = {
  { "undo", FORE_CTL_FLAG, NULL, N_ ("Take up again what was dropped") },
  DRY_RUN,
  YES,
  END,
};

static const ForeCtlOption worktrees_options[] = { LIMIT, END };

static const ForeCtlOption clean_options[] = {
  DRY_RUN,
  YES,
  { "everything", FORE_CTL_FLAG, NULL,
    N_ ("Also trees of which something would be lost; asks for each") },
  END,
};

static const ForeCtlOption forget_options[] = { DRY_RUN, YES, END };

static const ForeCtlOption prune_options[] = {
  { "keep", FORE_CTL_COUNT, "N", N_ ("So many of the newest finished runs stay") },
  { "older", FORE_CTL_DURATION, "TIME", N_ ("Only runs that ended so long ago") },
  DRY_RUN,
  YES,
  END,
};

static const ForeCtlOption rescue_options[] = {
  PROJECT,
  { "branch", FORE_CTL_TEXT, "BRANCH", N_ ("The branch that gets the work back") },
  { "to", FORE_CTL_TEXT, "DIR", N_ ("Write the files to a new folder instead") },
  { "older", FORE_CTL_DURATION, "TIME", N_ ("Only what is older than this") },
  DRY_RUN,
  YES,
  END,
};
static const ForeCtlOption project_options[] = { PROJECT, END };

static const ForeCtlOption trust_options[] = {
  { "revoke", FORE_CTL_FLAG, NULL, N_ ("Trust it no longer") },
  END,
};

static const ForeCtlOption decode_options[] = {
  { "live", FORE_CTL_FLAG, NULL, N_ ("It is the stream of a live session") },
  END,
};

static const ForeCtlOption tokens_options[] = {
  { "model", FORE_CTL_TEXT, "MODEL", N_ ("The model that is to read it") },
  END,
};

static const ForeCtlOption doctor_options[] = {
  PROJECT,
  { "check-store", FORE_CTL_FLAG, NULL, N_ ("Check everything that is kept, make the index anew") },
  { "bundle", FORE_CTL_TEXT, "FILE", N_ ("Write a report for others, without prompts or results") },
  { "test-agent", FORE_CTL_TEXT, "CLI", N_ ("Send one tiny prompt to an agent") },
  END,
};

static const ForeCtlOption stats_options[] = {
  { "limit", FORE_CTL_COUNT, "N", N_ ("Of so many of the newest runs") },
  END,
};

static const ForeCtlOption demo_options[] = {
  { "approve", FORE_CTL_CHOICE, "auto|ask", N_ ("Approve the plan by itself, or wait for you") },
  END,
};

static const ForeCtlOption logs_options[] = {
  { "limit", FORE_CTL_COUNT, "N", N_ ("At most so many lines") },
  FOLLOW,
  END,
};

static const ForeCtlOption mcp_options[] = {
  { "calls", FORE_CTL_TEXT, "DIR", N_ ("Where the task of the agent is called from") },
  END,
};

static const ForeCtlOption ask_options[] = {
  { "options", FORE_CTL_TEXT, "A|B|C", N_ ("Answers to choose from") },
  { "timeout", FORE_CTL_DURATION, "TIME", N_ ("Wait no longer than this") },
  END,
};

static const ForeCtlOption delegate_options[] = {
  { "role", FORE_CTL_TEXT, "ROLE",
    N_ ("Role of the team that the helper has; else that of the task") },
  { "detach", FORE_CTL_FLAG, NULL, N_ ("Print the name of the helper and do not wait for it") },
  { "timeout", FORE_CTL_DURATION, "TIME", N_ ("Wait no longer than this") },
  END,
};

static const ForeCtlOption mail_options[] = {
  { "wait", FORE_CTL_FLAG, NULL, N_ ("Wait until there is mail") },
  { "timeout", FORE_CTL_DURATION, "TIME", N_ ("Wait no longer than this") },
  END,
};

static const ForeCtlOption join_options[] = {
  { "any", FORE_CTL_FLAG, NULL, N_ ("Wait for the first of them only") },
  { "timeout", FORE_CTL_DURATION, "TIME", N_ ("Wait no longer than this") },
  END,
};

static const ForeCtlOption no_options[] = { END };

static const ForeCtlVerb verbs[] = {
  { "run", "[GOAL…]", N_ ("Start a run and follow it"), 0, MANY, 0, run_options, fore_ctl_do_run },
  { "list", "", N_ ("List runs, the newest first"), 0, 0, 0, list_options, fore_ctl_do_list },
  { "show", "RUN", N_ ("Show how a run stands"), 1, 1, 0, no_options, fore_ctl_do_show },
  { "tasks", "RUN", N_ ("List the tasks of a run and what they wait for"), 1, 1, 0, page_options,
    fore_ctl_do_tasks },
  { "graph", "RUN", N_ ("Draw the graph of a run"), 1, 1, 0, graph_options, fore_ctl_do_graph },
  { "events", "RUN", N_ ("Show what happened in a run"), 1, 1, 0, events_options,
    fore_ctl_do_events },
  { "transcript", "RUN TASK", N_ ("Show what an agent did and said"), 2, 2, 0, transcript_options,
    fore_ctl_do_transcript },
  { "prompt", "RUN TASK", N_ ("Show the exact prompt of an attempt"), 2, 2, 0, prompt_options,
    fore_ctl_do_prompt },
  { "wait", "RUN…", N_ ("Wait until runs have ended or need a person"), 1, MANY, 0, wait_options,
    fore_ctl_do_wait },
  { "requests", "[RUN]", N_ ("List what waits for a person"), 0, 1, 0, requests_options,
    fore_ctl_do_requests },
  { "approve", "REQUEST", N_ ("Approve a plan, or allow what is asked for"), 1, 1, FORE_CTL_PERSON,
    approve_options, fore_ctl_do_approve },
  { "reject", "REQUEST", N_ ("Reject it, or ask for changes"), 1, 1, FORE_CTL_PERSON,
    reject_options, fore_ctl_do_reject },
  { "answer", "REQUEST TEXT…", N_ ("Answer a question, or choose an option"), 2, MANY,
    FORE_CTL_PERSON, answer_options, fore_ctl_do_answer },
  { "steer", "RUN TASK TEXT…", N_ ("Say something to an agent"), 3, MANY, 0, no_options,
    fore_ctl_do_steer },
  { "follow-up", "RUN TASK TEXT…", N_ ("Have an agent go on from what a task did"), 3, MANY, 0,
    follow_options, fore_ctl_do_follow_up },
  { "interrupt", "RUN TASK", N_ ("Interrupt what an agent does just now"), 2, 2, 0, no_options,
    fore_ctl_do_interrupt },
  { "messages", "RUN", N_ ("List what was said in a run"), 1, 1, 0, messages_options,
    fore_ctl_do_messages },
  { "pause", "RUN", N_ ("Start nothing new in a run"), 1, 1, 0, no_options, fore_ctl_do_pause },
  { "continue", "RUN", N_ ("Go on with a paused run"), 1, 1, 0, follow_options,
    fore_ctl_do_continue },
  { "cancel", "[RUN [TASK]]", N_ ("Cancel a run or one of its tasks"), 0, 2, 0, cancel_options,
    fore_ctl_do_cancel },
  { "resume", "RUN", N_ ("Take up an interrupted run again"), 1, 1, 0, resume_options,
    fore_ctl_do_resume },
  { "restart", "RUN",
    N_ ("End the runner of a run that does not respond, and take the run up again"), 1, 1,
    FORE_CTL_PERSON, no_options, fore_ctl_do_restart },
  { "retry", "RUN [TASK…]", N_ ("Run failed tasks again"), 1, MANY, 0, follow_options,
    fore_ctl_do_retry },
  { "accept", "RUN TASK", N_ ("Accept a result that needs attention"), 2, 2, FORE_CTL_PERSON,
    no_options, fore_ctl_do_accept },
  { "goal", "start GOAL… | status|pause|resume|step|stop RUN",
    N_ ("Start a goal loop, show it, pause it, go on with it, stop it"), 2, MANY, FORE_CTL_PERSON,
    goal_options, fore_ctl_do_goal },
  { "schedule", "list | add WHEN -- COMMAND… | show|remove|enable|disable|now ID | tick",
    N_ ("Start runs at certain times"), 0, MANY, FORE_CTL_PERSON, schedule_options,
    fore_ctl_do_schedule },
  { "plan", "RUN", N_ ("Show the plan of a run"), 1, 1, 0, plan_options, fore_ctl_do_plan },
  { "diff", "RUN [TASK]", N_ ("Show what a run or a task changed"), 1, 2, 0, diff_options,
    fore_ctl_do_diff },
  { "conflicts", "REQUEST [PATH]", N_ ("Show the three sides of the files that are in conflict"), 1,
    2, 0, no_options, fore_ctl_do_conflicts },
  { "comment", "RUN [PATH:LINE TEXT…]", N_ ("Comment on lines of a result, or list the comments"),
    1, MANY, 0, comment_options, fore_ctl_do_comment },
  { "merge", "RUN…", N_ ("Merge the results of runs into a branch, one after the other"), 1, MANY,
    FORE_CTL_PERSON, merge_options, fore_ctl_do_merge },
  { "branch", "RUN BRANCH", N_ ("Make a branch of the result of a run"), 2, 2, FORE_CTL_PERSON,
    no_options, fore_ctl_do_branch },
  { "discard", "RUN", N_ ("Drop the result of a run"), 1, 1, FORE_CTL_PERSON, discard_options,
    fore_ctl_do_discard },
  { "worktrees", "[RUN]", N_ ("List the working trees of tasks"), 0, 1, 0, worktrees_options,
    fore_ctl_do_worktrees },
  { "clean", "[RUN]", N_ ("Remove the working trees that nobody needs any more"), 0, 1,
    FORE_CTL_PERSON, clean_options, fore_ctl_do_clean },
  { "forget", "RUN", N_ ("Remove everything that is kept of a finished run"), 1, 1, FORE_CTL_PERSON,
    forget_options, fore_ctl_do_forget },
  { "prune", "", N_ ("Forget old runs"), 0, 0, FORE_CTL_PERSON, prune_options, fore_ctl_do_prune },
  { "rescue", "list|restore|drop [NAME…]", N_ ("Work that was put aside when trees were removed"),
    1, MANY, FORE_CTL_PERSON, rescue_options, fore_ctl_do_rescue },
  { "library", "list|show|validate|path|keys|copy|remove|restore [KIND] [NAME|FILE|DIR] [NEW]",
    N_ ("Agents, teams, workflows, skills"), 1, 4, 0, project_options, fore_ctl_do_library },
  { "recommend", "GOAL…", N_ ("Say which team and workflow fit a goal"), 1, MANY, 0,
    project_options, fore_ctl_do_recommend },
  { "config", "get|set|unset|list [KEY] [VALUE…]", N_ ("Settings"), 1, MANY, 0, project_options,
    fore_ctl_do_config },
  { "trust", "DIR", N_ ("Let the files of a project name programs to run"), 1, 1, FORE_CTL_PERSON,
    trust_options, fore_ctl_do_trust },
  { "decode", "CLI FILE", N_ ("Decode a recorded output of an agent"), 2, 2, 0, decode_options,
    fore_ctl_do_decode },
  { "tokens", "[FILE…]", N_ ("Count the tokens of files, or of standard input"), 0, MANY, 0,
    tokens_options, fore_ctl_do_tokens },
  { "ask", "TEXT…", N_ ("For agents, inside a task: ask the person and wait for the answer"), 1,
    MANY, 0, ask_options, fore_ctl_do_ask },
  { "delegate", "TEXT…", N_ ("For agents, inside a task: give a part of it to a helper, and wait"),
    1, MANY, 0, delegate_options, fore_ctl_do_delegate },
  { "mail", "send|inbox|ack …", N_ ("Write to a task, or read what tasks wrote to you"), 1, MANY, 0,
    mail_options, fore_ctl_do_mail },
  { "join", "HELPER…", N_ ("For agents, inside a task: wait for helpers"), 1, MANY, 0, join_options,
    fore_ctl_do_join },
  { "submit-result", "FILE", N_ ("For agents, inside a task: hand the result in"), 1, 1, 0,
    no_options, fore_ctl_do_submit_result },
  { "submit-plan", "FILE", N_ ("For agents that plan, inside a task: hand the plan in"), 1, 1, 0,
    no_options, fore_ctl_do_submit_plan },
  { "mcp", "", N_ ("For agents, inside a task: the same as a server of MCP on standard input"), 0,
    0, 0, mcp_options, fore_ctl_do_mcp },
  { "doctor", "", N_ ("Look at this machine: agents, git, sandbox, store"), 0, 0, 0, doctor_options,
    fore_ctl_do_doctor },
  { "stats", "[RUN]", N_ ("Show what it cost to carry runs out: main loop, store, decoding"), 0, 1,
    0, stats_options, fore_ctl_do_stats },
  { "demo", "[DIR]", N_ ("Run the demo on a sample repository"), 0, 1, 0, demo_options,
    fore_ctl_do_demo },
  { "logs", "[RUN]", N_ ("Show our own programs' logs"), 0, 1, 0, logs_options, fore_ctl_do_logs },
  { "version", "", N_ ("Show the version"), 0, 0, 0, no_options, fore_ctl_do_version },
  { "help", "[VERB]", N_ ("Show help"), 0, 1, 0, no_options, fore_ctl_do_help },
};

/**
 * fore_ctl_verbs_get:
 * @n_verbs: (out): how many
 *
 * Returns: (transfer none) (array length=n_verbs): all verbs
 */
const ForeCtlVerb *
fore_ctl_verbs_get (guint *n_verbs)
{
  g_return_val_if_fail (n_verbs != NULL, NULL);

  *n_verbs = G_N_ELEMENTS (verbs);
  return verbs;
}

/**
 * fore_ctl_verbs_find:
 * @name: a word
 *
 * Returns: (transfer none) (nullable): the verb of that name
 */
const ForeCtlVerb *
fore_ctl_verbs_find (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (verbs); i++)
    {
      if (strcmp (verbs[i].name, name) == 0)
        return &verbs[i];
    }

  return NULL;
}

/**
 * fore_ctl_verbs_suggest:
 * @name: a word that is no verb
 *
 * Returns: (transfer none) (nullable): the verb that was probably meant
 */
const char *
fore_ctl_verbs_suggest (const char *name)
{
  const char *names[G_N_ELEMENTS (verbs) + 1] = { NULL };

  for (guint i = 0; i < G_N_ELEMENTS (verbs); i++)
    names[i] = verbs[i].name;

  return fore_id_find_nearest (name, names, 3);
}
