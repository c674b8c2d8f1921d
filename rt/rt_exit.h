/* At the end of the process: what trials that are under way say, and what is known of classes that are not settled, for the next one.
 *
 * A program that queues all its launches and waits once knows no trial's time before its last launch. By its end all are done, and what they say
 * is where the next run goes on: without that such programs would begin anew each time, and never settle.
 */
#ifndef MESI_RT_EXIT_H
#define MESI_RT_EXIT_H

#include "rt_trial.h"

/* Reads what is done of a class's trials, without waiting. */
static void read_last(struct state *state, struct class *c) {
    struct launch l = {.kernel = state->kernel, .state = state, .context = c->context, .own_stream = (void *)-1};
    if (!know_context(&l, c))
        return;
    for (uint32_t i = 0; i < FLIGHTS; i++)
        c->flight[i].poll = 0;
    poll(&l, c);
}

static SLOW void keep_open(void) {
    void *context = 0;
    /* A context that is gone, or another's, has no events of ours. */
    if (getpid() != process.pid || process.driver.context(&context) || !context || MUTATED(25))
        return;
    for (struct state *s = get_acquire(process.states); s; s = s->next) {
        struct class *all = get_acquire(s->classes);
        for (uint32_t i = 0; i < CLASSES && get_acquire(all[i].key); i++) {
            struct class *c = &all[i];
            if (get_acquire(c->settled) || c->context != context || !take(&c->busy))
                continue;
            read_last(s, c);
            bool is_open = !get(c->settled) && !c->drift && c->waiting == NOBODY && (c->samples[c->base] || c->pairs);
            if (is_open && may_write(c))
                write_open(s, c);
            let_go(&c->busy);
        }
    }
}

#endif
