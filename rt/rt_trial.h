/* Trials: launches of the program that are timed, in pairs of what stands (`base`) and what may take its place (`challenger`).
 *
 * Both launches of a pair follow one another on one stream, with an event before and after each; which goes first alternates.
 * Each goes behind one more launch of its own: what a launch finds in the caches is what the one before it left there, and a
 * candidate that runs from now on will find its own (docs/choice.md).
 * Events are asked later, at other launches, whether they are done; nothing waits for them. What counts is the mean of the
 * logarithms of the ratios, a fifth cut off at each end. All here is done by who holds the class's flag `busy`.
 */
#ifndef MESI_RT_TRIAL_H
#define MESI_RT_TRIAL_H

#include "rt_cache.h"
#include "rt_early.h"

/* What two events cost, nanoseconds: in a full queue each holds the stream up for about two microseconds (docs/choice.md). */
#define TIMING_COST 4000
/* A trial's share of a kernel's time at most, timing's with it, as one in so many. Two percent are promised; the rest is for times that are
 * themselves estimates. */
#define TRIAL_SHARE 60
/* The same of a run that is there to learn (`mesi tune`). */
#define TUNING_SHARE 1
/* Timing's share of the time from one pair to the next, as one in so many, however much was saved up before: a program whose samples did
 * not count for long would otherwise have all its pairs in a row, where every other launch is timed. */
#define PACE_SHARE 50
/* Kernels shorter than this, nanoseconds, are left alone: the host needs as long to launch them. */
#define SHORT_KERNEL 5000.0
/* Of kernels shorter than this only what gains five percent is taken: an event's resolution is 500, and what two of them take beside the kernel
 * is much of what they show. */
#define COARSE_KERNEL 10000.0
/* The same of what is launched a few times in a run, if the host's part of it cannot be told apart. */
#define SHORT_ALONE 100000.0
/* K waits until FIRST_TIMED where a version that the model is sure of takes so small a part of what it expects of K, one in so many, as the model may take K for twice as
 * slow as it is; or, where it knows only how long K takes at least, so little, in nanoseconds, that all launches until then are 3 ms at most. */
#define SURE_SHARE 2
#define LITTLE_AT_STAKE 250000
/* Candidates that are tried before FIRST_TIMED, at most: all but the last take at most so many times as long as K, so that ten launches lose little. What gains so
 * much runs from then on. */
#define MOST_TRIED 3
#define MOST_LOST 1.2
#define LEAST_GAIN 1.1
/* From FIRST_TIMED on one launch in so many is timed, as often as `BASELINES` says, before anything else is tried. */
#define BASELINE_EVERY 4
/* The first launch that is timed with others of the same run in one that is there to learn; the next ones are, too. Before it the first launch
 * of all is timed alone: a program may have no more, and its pairs take two runs each. */
#define FIRST_TUNED 4
/* Launches between two looks at a settled choice, and before the first look at one from the cache. */
#define LOOK_AGAIN 1000
#define LOOK_AT_CACHED 64
/* Failed attempts at a sample, of a class, before it is given up. */
#define MOST_DROPPED 64

/* Pairs after which a duel that is still open waits until all others were compared: what is nearly as good as K takes many pairs, and would
 * keep what is far better waiting. The fewer for what does not seem to gain much. */
#define PAIRS_AT_FIRST 8
#define PAIRS_WITHOUT_GAIN 4

/* Logarithms of ratios. */
#define LOG_1_01 0.00995033
#define LOG_1_05 0.04879016
#define LOG_1_12 0.11332869
#define LOG_1_15 0.13976194
#define LOG_1_25 0.22314355
#define LOG_1_35 0.30010459
#define LOG_1_5 0.40546511
#define LOG_3 1.09861229

/* What launches wait for the GPU, of the time that the process has run, as one in so many; what a wait costs beside its own time,
 * nanoseconds, since the GPU is idle until the next launch; and the longest wait. */
#define WAIT_SHARE 32
#define WAIT_COST 10000
#define LONGEST_WAIT 20000000
/* The longest wait of a run that is there to learn, nanoseconds: a kernel may wait for the host. */
#define LONGEST_TUNING_WAIT 1000000000

/* ---- What it costs ---- */

/* Adds to the kernel's time what the class's launches took since it was last asked. */
static void account(struct state *state, struct class *c) {
    double time = c->time[get(c->choice)];
    uint64_t launches = get(c->launches);
    if (time <= 0)
        time = c->time[c->base];
    if (time <= 0)
        return;
    add(state->spent, (int64_t)((double)(launches - c->counted) * time));
    c->counted = launches;
}

/* Nanoseconds that the kernel still has to run until `excess` more and so many timed launches more are within the budget; 0: they are. */
static int64_t lacking(const struct state *state, double excess, uint32_t timed) {
    int64_t spent = get(state->spent), timing = get(state->timing) + (int64_t)timed * TIMING_COST;
    int64_t least = (timing + get(state->excess) + (int64_t)excess) * (process.tunes ? TUNING_SHARE : TRIAL_SHARE);
    return least > spent && !MUTATED(4) ? least - spent : 0;
}

/* What a launch of a candidate is expected to cost beyond the choice. Of one that never ran, or whose first sample says nothing: half as
 * much again. What it costs more is booked, and waited for before the next. */
static double expected_excess(const struct class *c, uint32_t candidate) {
    uint32_t choice = get(c->choice);
    if (candidate == choice)
        return 0;
    double chosen = c->time[choice] > 0 ? c->time[choice] : c->time[c->base], time = c->time[candidate];
    if (time <= 0)
        return chosen / 2;
    return time > chosen ? time - chosen : 0;
}

static void book(struct state *state, struct class *c, double more) {
    add(state->excess, (int64_t)more);
    c->cost += more;
}

/* Books a sample, as far as it took longer than the choice; what another is shorter pays nothing back, or noise would. A
 * kernel that is being loaded holds the stream up, which is no time of the GPU's: half of the choice's time is booked until
 * more is known. K's first run where a version ran from the first launch on is what the program would have had anyway: booked,
 * one launch of K that gains x20 would put what gains more off for a thousand. */
static void book_sample(struct state *state, struct class *c, uint32_t candidate, double time, bool stalled, uint32_t ahead) {
    uint32_t choice = get(c->choice);
    double chosen = c->time[choice] > 0 ? c->time[choice] : c->time[c->base], more = (time - chosen) * (1 + ahead);
    if (candidate == choice || chosen <= 0)
        return;
    if (candidate == 0 && c->trusted && !c->continued && !c->has_run_k && !MUTATED(66)) {
        c->has_run_k = true;
        return;
    }
    if (stalled && more > chosen / 2) {
        more = chosen / 2;
        c->supposed = more;
    } else if (c->supposed > 0 && !stalled) {
        book(state, c, (more > 0 ? more : 0) - c->supposed);
        c->supposed = 0;
    }
    book(state, c, more > 0 ? more : 0);
}

/* ---- The end of a duel ---- */

static void settle(struct class *c, enum why why, uint64_t look) {
    c->challenger = NOBODY;
    c->duel++;
    c->trusted = c->first = c->drift = false;
    put(c->why, (uint32_t)why);
    put(c->look, look);
    put_release(c->settled, 1);
}

static void set_duel(struct class *c, uint32_t base, uint32_t challenger) {
    c->base = (uint8_t)base;
    c->challenger = (uint8_t)challenger;
    c->duel++;
    c->pairs = 0;
    c->half = NOBODY;
    c->first_time = c->supposed = 0;
}

/* The candidate whose turn is `i`: versions that are launched in a way of their own, from the last on, as what is written in another way altogether gains
 * more; versions in other blocks, versions in the program's, K in other blocks. NOBODY: a version that is launched as the kernel is, at the first. */
static uint32_t in_turn(const struct mesi_kernel *k, uint32_t i) {
    uint32_t n = k->versions;
    if (i < n)
        return k->version[n - 1 - i].fold ? n - i : NOBODY;
    return i < 2 * n ? i + 2 : i < 3 * n ? i - 2 * n + 1 : n + 1;
}

/* Candidates that what was measured in other classes speaks against: with a version that in other blocks, too. */
static uint32_t doubtful(const struct state *state) {
    uint32_t versions = state->kernel->versions, lost = get(state->disproved);
    return lost | (lost & ((2u << versions) - 2)) << (versions + 1);
}

/* The next candidate to compare: first those that are new, of these those that the model is sure of while K stands, those that won in another class, and those
 * that did not lose by far there, nor have many times the threads that fill any chip; then those that are open. Where one that the model is sure of has won,
 * the others are like it, and gain less. */
static SLOW uint32_t next_candidate(const struct state *state, const struct class *c) {
    uint32_t versions = state->kernel->versions, open = c->mask & ~c->tested & ~get(state->broken) & ~(1u << c->base) & ~1u;
    uint32_t fresh = open & ~c->undecided, proved = MUTATED(64) ? 0 : get(state->proved), lost = (MUTATED(65) ? 0 : doubtful(state)) | c->overdone;
    uint32_t sure = get(c->choice) && !MUTATED(67) ? 0 : c->promising;
    uint32_t wanted[] = {fresh & sure & ~lost, fresh & proved, fresh & ~lost, fresh, open & sure, open};
    for (uint32_t rank = 0; rank < sizeof wanted / sizeof *wanted; rank++)
        for (uint32_t i = 0; i <= 3 * versions; i++) {
            uint32_t candidate = in_turn(state->kernel, i);
            if (candidate != NOBODY && wanted[rank] >> candidate & 1)
                return candidate;
        }
    return NOBODY;
}

/* Goes on with the next candidate, or settles. */
static SLOW void go_on(struct state *state, struct class *c) {
    c->trusted = c->first = false;
    uint32_t next = next_candidate(state, c);
    set_duel(c, get(c->choice), next);
    if (next != NOBODY)
        return;
    bool again = c->runner != NOBODY;
    settle(c, WHY_MEASURED, again ? get(c->launches) + LOOK_AGAIN : UINT64_MAX);
    cache_write(state, c);
}

/* Puts an open duel off if there are candidates that were not compared at all. */
static SLOW void put_off_duel(struct state *state, struct class *c) {
    c->undecided |= 1u << c->challenger;
    uint32_t next = next_candidate(state, c);
    if (next == NOBODY || c->undecided >> next & 1 || MUTATED(34))
        return;
    c->trusted = c->first = false;
    put(c->choice, (uint32_t)c->base);
    set_duel(c, c->base, next);
}

static void adopt(struct state *state, struct class *c, double mean, double error) {
    c->tested |= 1u << c->challenger | 1u << c->base;
    /* The gain is over K: of what is better than a better one, the product. */
    bool over_k = c->base == 0;
    c->gain = mean + (over_k ? 0 : c->gain);
    c->low = mean - error + (over_k ? 0 : c->low);
    c->high = mean + error + (over_k ? 0 : c->high);
    c->decided_pairs = c->pairs;
    c->runner = c->base;
    c->runner_gain = -mean;
    put(c->choice, (uint32_t)c->challenger);
    put(state->proved, get(state->proved) | 1u << c->challenger);
    go_on(state, c);
}

/* Notes that a candidate lost to K by far, which other classes of the kernel ask. */
static void disprove(struct state *state, uint32_t candidate) { put(state->disproved, get(state->disproved) | 1u << candidate); }

static void reject(struct state *state, struct class *c, double mean) {
    c->tested |= 1u << c->challenger;
    if (c->base == 0 && mean < -LOG_1_15 && !MUTATED(21))
        disprove(state, c->challenger);
    if (mean > -LOG_3 && (c->runner == NOBODY || (c->runner_gain < mean && c->runner != c->base))) {
        c->runner = c->challenger;
        c->runner_gain = mean;
    }
    put(c->choice, (uint32_t)c->base);
    go_on(state, c);
}

/* Measuring does not work here: what runs, stays. */
static void give_up(struct class *c) {
    c->unmeasurable = true;
    c->flights = 0;
    settle(c, WHY_UNMEASURED, UINT64_MAX);
}

/* ---- Judging ---- */

/* The mean of a duel's ratios without a fifth at each end, and its standard error (Yuen's, by the variance of what the cut values
 * are replaced by the last that stay). */
static double trimmed_mean(const struct class *c, double *error) {
    float sorted[PAIRS];
    uint32_t n = c->pairs, cut = n / 5, kept = n - 2 * cut;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = i;
        for (; at > 0 && sorted[at - 1] > c->ratio[i]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = c->ratio[i];
    }
    double sum = 0, all = 0, squares = 0;
    for (uint32_t i = 0; i < n; i++) {
        double x = sorted[i < cut ? cut : i >= n - cut ? n - cut - 1 : i];
        all += x;
        squares += x * x;
        if (i >= cut && i < n - cut)
            sum += x;
    }
    double variance = n > 1 ? (squares - all * all / n) / (n - 1) : 0;
    *error = root_of(variance * n) / kept;
    return sum / kept;
}

/* What a standard error is multiplied with where a duel is looked at; 0: not after so many pairs. 3.9 of a normal distribution, in
 * Student's of as many degrees of freedom as there are values kept, less one. */
static double width_of(uint32_t pairs) {
    static const struct { uint32_t pairs; double width; } look[] = {
        {4, 22.2}, {8, 11.2}, {12, 7.9}, {16, 6.6}, {24, 5.24}, {32, 4.9}, {48, 4.53}, {64, 4.33},
    };
    for (uint32_t i = 0; i < sizeof look / sizeof look[0]; i++)
        if (look[i].pairs == pairs)
            return look[i].width;
    return 0;
}

/* Looks at a duel after a pair. */
static void judge(struct state *state, struct class *c) {
    uint32_t n = c->pairs;
    double mean = 0, error = 0;
    for (uint32_t i = 0; i < n; i++)
        mean += c->ratio[i];
    mean /= n;
    /* A trusted challenger goes at the first pair that it loses. */
    double lost = n >= 4 ? LOG_1_12 : n >= 2 ? LOG_1_25 : c->trusted ? LOG_1_15 : LOG_1_35;
    /* What the model was sure of, and one pair confirms by far: K's trials would cost more than they can tell. */
    if (n == 1 && c->trusted && c->base == 0 && mean >= LOG_1_5 && !MUTATED(15)) {
        adopt(state, c, mean, 0);
        return;
    }
    if (n < 8) {
        /* One pair may be off for reasons of its own: the sample that does not count must not contradict it. */
        bool is_odd = n == 1 && !c->trusted && c->first_time > 0 && c->first_time < 1.2 * c->time[c->base];
        if (mean < -lost && !is_odd && !MUTATED(5))
            reject(state, c, mean);
        if (n != 4 || c->challenger == NOBODY || !c->pairs)
            return;
    }
    if (width_of(n) == 0)
        return;
    mean = trimmed_mean(c, &error);
    double wide = error * width_of(n), least = c->time[c->base] < COARSE_KERNEL ? LOG_1_05 : LOG_1_01;
    if (MUTATED(6))
        wide = 0;
    if (mean > least && mean - wide > 0)
        adopt(state, c, mean, wide);
    else if (n >= 8 && (mean + 2 * error < least || mean + wide < 0 || n >= PAIRS))
        reject(state, c, mean);
    else if (n == PAIRS_AT_FIRST || (n == PAIRS_WITHOUT_GAIN && mean < LOG_1_05))
        put_off_duel(state, c);
}

/* Looks at a settled choice after one more pair: two lost in a row start a duel anew. */
static void judge_settled(struct class *c) {
    bool lost = c->ratio[c->pairs - 1] > (float)LOG_1_05;
    c->lost = lost ? c->lost + 1 : 0;
    if (c->lost == 1)
        return;
    if (!lost) {
        settle(c, (enum why)get(c->why), get(c->launches) + LOOK_AGAIN);
        return;
    }
    c->lost = 0;
    c->drift = false;
    c->tested = c->mask;
    put(c->why, WHY_LEARNING);
    set_duel(c, c->base, c->challenger);
}

/* ---- Reading ---- */

/* Whether much of the time between the events may be the host's and not the kernel's. Less than a fourth only makes a ratio look
 * nearer to 1 than it is, on both sides alike; dropping all where the GPU waited would leave out programs that wait for each
 * launch, and those that wait for none fill the queue. */
static bool is_stalled(const struct flight *f, uint32_t i, double time) {
    return f->idle[i] && (double)f->host[i] * 4 > time && !MUTATED(7);
}

/* The mean of a candidate's samples, the last of which count most. */
static void average(struct class *c, uint32_t candidate, double sample) {
    if (c->samples[candidate] < 8)
        c->samples[candidate]++;
    c->time[candidate] += (sample - c->time[candidate]) / c->samples[candidate];
}

/* Waits until `done` says so of `what`; whether it does. A program that queues all its launches at once would be over before anything is known, and the
 * queue is worked off as fast while the host waits. What the host would have done meanwhile is late by a small share of the time that it has run.
 * Never for long: a kernel may wait for the host. */
static SLOW bool wait_until(int (*done)(void *), void *what) {
    uint64_t age = MUTATED(19) ? 0 : ran(&process.began);
    if (age < get(process.hurries))
        return false;
    int64_t longest = process.tunes ? LONGEST_TUNING_WAIT : LONGEST_WAIT;
    int64_t left = process.tunes ? longest : (int64_t)(age / WAIT_SHARE) - get(process.waited) - WAIT_COST;
    if (left <= 0)
        return false;
    if (left > longest)
        left = longest;
    uint64_t start = now();
    int64_t waited = 0;
    int result = NOT_READY;
    while (result == NOT_READY && (waited < left || MUTATED(20))) {
        result = done(what);
        waited = (int64_t)(now() - start);
    }
    add(process.waited, waited + WAIT_COST);
    if (result == NOT_READY && waited >= longest)
        put(process.hurries, 2 * (age + (uint64_t)waited));
    return result == 0;
}

/* No flight before this launch. */
static void later(struct class *c, uint64_t launch) { c->retry = launch > c->retry ? launch : c->retry; }

/* How many launches a flight takes. */
static uint32_t launches_of(const struct flight *f) { return f->ahead[0] + 1u + (f->asked > 1 ? f->ahead[1] + 1u : 0); }

/* Has what stands run in place of a version that the model is sure of, until that is proven: trials may have to wait for long. */
static void lose_trust(struct class *c) {
    if (!c->trusted || MUTATED(51))
        return;
    c->trusted = c->first = false;
    put(c->choice, (uint32_t)c->base);
}

/* Gives up after so many samples that did not count. */
static void give_up_in_time(struct class *c) {
    if (c->dropped < MOST_DROPPED)
        return;
    lose_trust(c);
    give_up(c);
}

/* Whether nothing that was measured speaks for a version that the model is sure of, once what stands was timed often enough. */
static bool is_doubted(const struct class *c) {
    double version = c->challenger == NOBODY ? 0 : c->time[c->challenger];
    return c->trusted && c->samples[c->base] >= BASELINES && (version <= 0 || version > c->time[c->base]);
}

/* Takes a time of what stands; whether that is too short for anything to be tried. */
static bool take_base(struct state *state, struct class *c, double time) {
    average(c, c->base, time);
    account(state, c);
    if (is_doubted(c))
        lose_trust(c);
    if (time >= SHORT_KERNEL || get(c->choice) != 0 || c->drift)
        return false;
    settle(c, WHY_SHORT, UINT64_MAX);
    return true;
}

/* Takes the time of a run's first launch. A pair is complete where the run before left the other half's: both launches were the first of a
 * process, with their code loaded, so what they found in the caches is alike. */
static void take_alone(struct state *state, struct class *c, uint32_t who, double time) {
    if (who != c->base)
        average(c, who, time);
    else if (take_base(state, c, time))
        return;
    if (c->half == NOBODY || c->half == who) {
        c->half = (uint8_t)who;
        c->half_time = time;
        return;
    }
    double ratio = who == c->base ? time / c->half_time : c->half_time / time;
    c->half = NOBODY;
    c->ratio[c->pairs++] = (float)log_of(ratio);
    judge(state, c);
}

/* Takes the first time of a version that the model is sure of. Where much of it may be the host's, it is at most so long. */
static void take_own(const struct launch *l, struct class *c, double time, bool stalled) {
    bool is_little = time < LITTLE_AT_STAKE && !is_timed(l->kernel, c->numbers);
    bool gains = (time * SURE_SHARE <= c->expected || MUTATED(47)) && !MUTATED(46);
    if (!stalled)
        c->time[c->challenger] = time;
    c->first_time = time;
    c->own_time = gains ? TIME_ENOUGH : is_little && !MUTATED(46) ? TIME_LITTLE : TIME_DOUBTED;
    if (c->own_time == TIME_ENOUGH || c->own_time == TIME_LITTLE)
        later(c, FIRST_TIMED);
}

/* Has the next candidate tried before FIRST_TIMED, if there is one that was not, behind one that took about as long as K. */
static void try_another(const struct launch *l, struct class *c, uint32_t who) {
    c->undecided |= 1u << who;
    uint32_t next = next_candidate(l->state, c), against = c->undecided | doubtful(l->state) | c->overdone;
    if (++c->tried >= MOST_TRIED || next == NOBODY || against >> next & 1 || MUTATED(61))
        return;
    set_duel(c, 0, next);
    c->trial = TRIAL_OF_VERSION;
}

/* Takes a time of a trial before FIRST_TIMED: K's says whether a version is tried, or whether one that was trusted and is doubted now runs on, and the version's
 * whether it runs from now on. Where much of a time may be the host's, K or the version takes at most so long. */
static void take_early(const struct launch *l, struct class *c, uint32_t who, double time, bool stalled) {
    double of_k = c->time[c->base];
    if (time <= 0) {
        c->trial = TRIAL_DONE;
        return;
    }
    if (who == c->base) {
        bool is_long = !stalled && (time >= LONG_KERNEL || MUTATED(54)), is_doubt = c->own_time == TIME_DOUBTED;
        c->time[c->base] = stalled ? 0 : time;
        c->trial = is_long && !is_doubt ? TRIAL_OF_VERSION : TRIAL_DONE;
        if (is_doubt && time < c->first_time && !MUTATED(63))
            lose_trust(c);
        return;
    }
    c->trial = TRIAL_DONE;
    if (time * LEAST_GAIN <= of_k || MUTATED(55))
        put(c->choice, who);
    else if (!stalled && time > 3 * of_k) {
        c->tested |= 1u << who;
        disprove(l->state, who);
    } else if (time <= MOST_LOST * of_k || MUTATED(62))
        try_another(l, c, who);
}

/* Takes the times of a flight. */
static void finish(const struct launch *l, struct class *c, const struct flight *f, const double *time) {
    bool valid = !f->broken && (f->changes == get(lane_of(l->context)->changes) || MUTATED(8));
    for (uint32_t i = 0; i < f->asked; i++) {
        book_sample(l->state, c, f->who[i], time[i], is_stalled(f, i, time[i]), f->ahead[i]);
        valid &= time[i] > 0 && !is_stalled(f, i, time[i]);
    }
    if (f->duel != c->duel || c->challenger == NOBODY)
        return;
    if (c->ahead && c->trial != TRIAL_NONE) {
        take_early(l, c, f->who[0], f->broken ? 0 : time[0], !valid);
        return;
    }
    if (f->asked == 1 && c->first && !f->broken && time[0] > 0) {
        take_own(l, c, time[0], !valid);
        return;
    }
    if (!valid) {
        /* What is over before the host's part is small beside it is not worth the runs, unless launches come that can be timed together. */
        if (c->few && f->who[0] == c->base && get(c->choice) == 0 && !f->broken && time[0] > 0 && time[0] < SHORT_ALONE) {
            settle(c, WHY_SHORT, MUTATED(42) ? UINT64_MAX : FIRST_TUNED);
            return;
        }
        c->dropped++;
        later(c, get(c->launches) + 1 + c->dropped * c->dropped / 2);
        /* A version's first launch loads it, so its time says nothing, and is not missed. */
        if (f->asked == 1 && f->who[0] != c->base)
            c->dropped--;
        else if (c->first && c->dropped >= 3 && c->own_time != TIME_ENOUGH)
            lose_trust(c);
        else if (c->first && c->dropped >= 3)
            c->first = false;
        give_up_in_time(c);
        return;
    }
    if (c->few) {
        take_alone(l->state, c, f->who[0], time[0]);
        return;
    }
    if (f->asked == 1 && f->who[0] == c->base) {
        take_base(l->state, c, time[0]);
        return;
    }
    if (f->asked == 1) {
        c->time[c->challenger] = c->first_time = time[0];
        if (time[0] > 3 * c->time[c->base])
            reject(l->state, c, -2 * LOG_3);
        return;
    }
    uint32_t of_base = f->who[0] == c->base ? 0 : 1;
    if (!c->pairs)
        c->samples[c->challenger] = 0;
    average(c, c->base, time[of_base]);
    average(c, c->challenger, time[1 - of_base]);
    c->ratio[c->pairs++] = (float)log_of(time[of_base] / time[1 - of_base]);
    c->first = false;
    if (c->drift)
        judge_settled(c);
    else
        judge(l->state, c);
}

/* Reads what is done, oldest first. */
static void poll(const struct launch *l, struct class *c) {
    const struct driver *d = &process.driver;
    uint64_t launches = get(c->launches);
    while (c->flights) {
        struct flight *f = &c->flight[c->oldest];
        if (f->queued < launches_of(f) || launches < f->poll)
            return;
        int done = d->event_done(f->event[2 * f->asked - 1]);
        if (done == NOT_READY && f->stream == l->own_stream && wait_until(d->event_done, f->event[2 * f->asked - 1]))
            done = 0;
        if (done == NOT_READY) {
            f->poll = launches + f->wait;
            f->wait = f->wait < 32 ? f->wait * 2 : f->wait;
            return;
        }
        double time[2] = {0, 0};
        for (uint32_t i = 0; i < f->asked && !done; i++) {
            float milliseconds = -1;
            done = d->elapsed(&milliseconds, f->event[2 * i], f->event[2 * i + 1]);
            /* Events go backwards on some machines. There nothing is measured. */
            if (!(milliseconds >= 0))
                done = -1;
            time[i] = (double)milliseconds * 1e6;
        }
        if (done) {
            give_up(c);
            return;
        }
        c->oldest = (c->oldest + 1) % FLIGHTS;
        c->flights--;
        finish(l, c, f, time);
    }
}

/* ---- Launching ---- */

/* A kernel's code is loaded at its first launch, and the driver may wait for all work then: a kernel that itself waits for the
 * host would never end. So what may be loaded late is, only where the launch's own stream is empty. */
static bool may_load(const struct launch *l) {
    const struct driver *d = &process.driver;
    if (process.eager || !d->stream_done || MUTATED(9))
        return true;
    int mode = CAPTURE_RELAXED;
    if (d->exchange)
        d->exchange(&mode);
    int result = d->stream_done(l->driver_stream);
    bool done = result == 0 || (result == NOT_READY && wait_until(d->stream_done, l->driver_stream));
    if (d->exchange)
        d->exchange(&mode);
    return done;
}

/* Whether a candidate's code was launched before in this context. */
static bool is_loaded(const struct launch *l, const struct class *c, uint32_t candidate) {
    uint32_t other = l->kernel->versions + 1, version = candidate % other, bits = 1u << version | 1u << (version + other);
    if (!version)
        return true;
    const struct class *all = get_acquire(l->state->classes);
    for (uint32_t i = 0; i < CLASSES && get_acquire(all[i].key); i++) {
        const struct class *o = &all[i];
        if (o->context == c->context && (get(o->warm) | get(o->loaded)) & bits)
            return true;
    }
    return false;
}

static void set_warm(struct class *c, uint32_t candidate) { put(c->warm, c->warm | 1u << candidate); }

/* Loads a candidate's code, again if it is there, if the launch's stream is empty; whether it is loaded. */
static SLOW bool load(const struct launch *l, struct class *c, uint32_t candidate) {
    const struct mesi_version *v = version_of(l->kernel, candidate);
    void *function = 0;
    if (process.eager)
        return true;
    if (!process.driver.load || !cudaGetFuncBySymbol || !may_load(l))
        return false;
    int mode = CAPTURE_RELAXED;
    process.driver.exchange(&mode);
    bool failed = cudaGetFuncBySymbol(&function, v ? v->stub : l->kernel->stub) || process.driver.load(function);
    process.driver.exchange(&mode);
    if (!failed)
        put(c->loaded, c->loaded | 1u << candidate);
    return !failed;
}

/* Loads what a new class is to try first while few launches are queued. A program that never waits for the GPU has no other moment at
 * which its stream is empty. */
static SLOW void load_early(const struct launch *l, struct class *c) {
    const struct mesi_version *v = c->challenger == NOBODY ? 0 : version_of(l->kernel, c->challenger);
    if (!v || c->few || MUTATED(23) || !(is_loaded(l, c, c->challenger) || load(l, c, c->challenger)))
        return;
    /* What an earlier process left says what a launch takes. */
    if (c->time[c->challenger] > 0 && !MUTATED(24))
        set_warm(c, c->challenger);
}

/* Launches of the choice from one pair to the next. */
static uint64_t pace(const struct class *c) {
    double time = c->time[get(c->choice)] > 0 ? c->time[get(c->choice)] : c->time[c->base];
    return process.tunes || time <= 0 || MUTATED(32) ? 0 : (uint64_t)(2 * TIMING_COST * PACE_SHARE / time);
}

/* A new flight, of `asked` candidates, each behind so many launches of its own. */
static struct flight *take_off(const struct launch *l, struct class *c, const uint8_t *who, const uint8_t *ahead, uint32_t asked) {
    struct flight *f = &c->flight[(c->oldest + c->flights++) % FLIGHTS];
    f->asked = (uint8_t)asked;
    f->queued = 0;
    memcpy(f->ahead, ahead, sizeof f->ahead);
    f->broken = false;
    memcpy(f->who, who, sizeof f->who);
    f->stream = l->own_stream;
    f->changes = get(lane_of(l->context)->changes);
    f->duel = c->duel;
    return f;
}

/* The same of a run's first launch alone, with its code loaded before: the half of a pair that the run before left out. A choice that an earlier
 * process left counts as warm, but this one has not loaded it. */
static SLOW struct flight *plan_alone(const struct launch *l, struct class *c) {
    uint8_t who[2] = {c->half == c->base ? c->challenger : c->base, 0}, ahead[2] = {0, 0};
    return get(c->launches) == 1 && load(l, c, who[0]) ? take_off(l, c, who, ahead, 1) : 0;
}

/* The flight that is to be timed with this launch; null: none, and `due` says from which launch on there may be one. */
static struct flight *plan(const struct launch *l, struct class *c, uint64_t *due) {
    struct state *state = l->state;
    uint64_t launches = get(c->launches);
    *due = c->retry > launches ? c->retry : launches + 1;
    uint32_t changes = get(lane_of(l->context)->changes);
    if (c->flights) {
        struct flight *last = &c->flight[(c->oldest + c->flights - 1) % FLIGHTS];
        if (last->queued < launches_of(last)) {
            bool is_current = last->duel == c->duel;
            if (is_current && last->stream == l->own_stream && last->changes == changes)
                return last;
            c->flights--;
            if (!is_current)
                return 0;
            c->dropped++;
            later(c, launches + 1 + c->dropped * c->dropped / 8);
            give_up_in_time(c);
            return 0;
        }
    }
    if (launches < c->retry)
        return 0;
    /* What is under way comes first. */
    if (c->challenger == NOBODY || c->flights == FLIGHTS) {
        *due = UINT64_MAX;
        return 0;
    }
    c->few = c->few && launches < FIRST_TUNED;
    if (c->few) {
        *due = c->flights ? FIRST_TUNED : launches + 1;
        return c->flights ? 0 : plan_alone(l, c);
    }
    uint8_t who[2] = {c->base, c->challenger}, ahead[2] = {0, 0}, asked = 2;
    uint32_t timed = 2;
    double excess = expected_excess(c, c->base) + expected_excess(c, c->challenger);
    if (c->first) {
        /* A version that ran alone is not waited for. */
        if (c->flights > 1 || (c->flights && c->flight[c->oldest].asked > 1)) {
            *due = UINT64_MAX;
            return 0;
        }
    } else if (c->samples[c->base] < BASELINES) {
        /* All of these are queued before anything else is. */
        uint32_t before = c->samples[c->base] + c->flights;
        uint64_t due_at = process.tunes ? FIRST_TUNED + before : FIRST_TIMED + BASELINE_EVERY * before;
        uint64_t at = before < BASELINES ? due_at : UINT64_MAX;
        asked = 1;
        if (launches < at) {
            *due = at;
            return 0;
        }
    } else {
        account(state, c);
        if (!(c->warm >> c->challenger & 1) && !MUTATED(10)) {
            who[0] = c->challenger;
            asked = 1;
            timed = 1;
        } else if (c->pairs + c->flights && !MUTATED(22)) {
            ahead[0] = ahead[1] = 1;
            excess *= 2;
        }
        if (c->pairs + c->flights >= PAIRS || (c->flights && (!c->pairs || c->drift))) {
            *due = UINT64_MAX;
            return 0;
        }
        int64_t lacks = lacking(state, excess * (c->flights + 1), timed);
        if (lacks) {
            double time = c->time[get(c->choice)] > 0 ? c->time[get(c->choice)] : c->time[c->base], wait = time > 0 ? (double)lacks / time : 0;
            *due = launches + (wait < 1 ? 1 : wait > 1e6 ? 1000000 : (uint64_t)wait);
            return 0;
        }
        if (asked == 1 && !is_loaded(l, c, c->challenger) && !may_load(l)) {
            /* An empty stream may come at any launch: after the many first tries, one now and then. */
            *due = c->retry = launches + 1 + (++c->refused > 200 ? launches / 16 : 0);
            return 0;
        }
        if (asked == 2 && (c->pairs + c->flights) & 1) {
            who[0] = c->challenger;
            who[1] = c->base;
        }
        if (who[0] == (c->flown_at + 1 == launches ? c->flown : get(c->choice)))
            ahead[0] = 0;
        c->retry = launches + pace(c);
    }
    return take_off(l, c, who, ahead, asked);
}

/* Events of a context that is gone are gone, too. */
static bool know_context(const struct launch *l, struct class *c) {
    unsigned long long id = 0;
    if (process.driver.context_id(l->context, &id))
        return false;
    if (c->context_id == id)
        return true;
    for (uint32_t i = 0; i < FLIGHTS; i++)
        memcpy(c->flight[i].event, (void *[4]){0, 0, 0, 0}, sizeof c->flight[i].event);
    c->flights = 0;
    if (c->context_id) {
        put(c->warm, 0);
        put(c->loaded, 0);
    }
    c->context_id = id;
    return true;
}

/* Launches a flight's next candidate: between two events, unless another of its launches goes behind it. */
static int run_timed(const struct launch *l, struct class *c, struct flight *f) {
    const struct driver *d = &process.driver;
    uint32_t number = f->queued++, i = number > f->ahead[0], candidate = f->who[i];
    c->flown = (uint8_t)candidate;
    c->flown_at = get(c->launches);
    if (number < i + f->ahead[0] + i * f->ahead[1]) {
        int result = run_or_k(l, c, candidate, false);
        f->broken = f->broken || result || get(l->state->broken) >> candidate & 1;
        return result;
    }
    int mode = CAPTURE_RELAXED, failed = 0;
    /* Another thread that captures must not find its capture broken by what is called here. */
    d->exchange(&mode);
    for (uint32_t e = 2 * i; e < 2 * i + 2; e++)
        if (!f->event[e] && !failed)
            failed = d->event_create(&f->event[e], 0);
    uint64_t start = now();
    if (!failed)
        failed = d->event_record(f->event[2 * i], l->driver_stream);
    d->exchange(&mode);
    if (failed) {
        give_up(c);
        return run_or_k(l, c, get(c->choice), false);
    }
    int result = run_or_k(l, c, candidate, false);
    f->host[i] = now() - start;
    set_warm(c, candidate);
    if (get(l->state->broken) >> candidate & 1 || result)
        f->broken = true;
    mode = CAPTURE_RELAXED;
    d->exchange(&mode);
    f->idle[i] = d->event_done(f->event[2 * i]) == 0;
    failed = d->event_record(f->event[2 * i + 1], l->driver_stream);
    d->exchange(&mode);
    if (failed)
        give_up(c);
    add(l->state->timing, TIMING_COST);
    c->cost += TIMING_COST;
    f->poll = get(c->launches) + 1;
    f->wait = 1;
    return result;
}

/* Has a class that is not settled looked at again when the next flight may begin, or the oldest is to be read. */
static void put_off(struct class *c, uint64_t due) {
    uint64_t poll = c->flights ? c->flight[c->oldest].poll : UINT64_MAX;
    if (!get(c->settled))
        put(c->look, poll < due ? poll : due);
}

static bool may_measure(const struct launch *l, struct class *c) {
    return process.can_measure && !c->unmeasurable && getpid() == process.pid && know_context(l, c);
}

/* Reads what is done, with the thread's mode of capture such that it breaks none. */
static void poll_guarded(const struct launch *l, struct class *c) {
    int mode = CAPTURE_RELAXED;
    bool exchanges = c->flights && !MUTATED(12);
    if (exchanges)
        process.driver.exchange(&mode);
    poll(l, c);
    if (exchanges)
        process.driver.exchange(&mode);
}

/* Waits for what a run's first launch takes, and keeps it for the next run. */
static SLOW void read_alone(const struct launch *l, struct class *c) {
    int kept = *__errno_location();
    c->flight[c->oldest].poll = 0;
    poll_guarded(l, c);
    if (!get(c->settled) && !c->flights && may_write(c))
        write_open(l->state, c);
    *__errno_location() = kept;
}

/* Launches what the model is sure of for the first time: between two events, if its code is loaded before. Holds the class's flag, and lets it go. */
static SLOW int run_trusted(const struct launch *l, struct class *c, bool measures, bool pending) {
    uint32_t choice = c->waiting;
    c->waiting = NOBODY;
    put(c->choice, choice);
    set_warm(c, choice);
    /* Without measuring the model has the last word. */
    if (!process.can_measure)
        settle(c, WHY_PRIOR, UINT64_MAX);
    bool alone = measures && !c->timed_alone && load(l, c, choice);
    c->timed_alone = true;
    int result = alone ? run_timed(l, c, take_off(l, c, (uint8_t[2]){(uint8_t)choice, 0}, (uint8_t[2]){0, 0}, 1)) : run_or_k(l, c, choice, pending);
    let_go(&c->busy);
    return result;
}

/* Launches by a class of which K is timed, and then a version, before FIRST_TIMED. Holds the class's flag, and lets it go. */
static SLOW int run_tried(const struct launch *l, struct class *c) {
    poll_guarded(l, c);
    uint8_t who[2] = {c->trial == TRIAL_OF_K ? c->base : c->challenger, 0}, ahead[2] = {0, 0};
    bool is_next = !c->flights && (c->trial == TRIAL_OF_K || (c->trial == TRIAL_OF_VERSION && load(l, c, who[0])));
    if (is_next) {
        int result = run_timed(l, c, take_off(l, c, who, ahead, 1));
        put(c->look, 0);
        c->timed_alone = true;
        let_go(&c->busy);
        return result;
    }
    bool waits = c->flights || c->trial == TRIAL_OF_VERSION;
    put(c->look, waits ? 0 : FIRST_TIMED);
    uint32_t choice = get(c->choice);
    let_go(&c->busy);
    return run_or_k(l, c, choice, false);
}

/* Launches by a class that is not settled, or whose choice is to be looked at again; holds the flag, and lets it go. */
static int run_learning(struct launch *l, struct class *c) {
    uint32_t choice = get(c->choice);
    bool pending = cudaPeekAtLastError && cudaPeekAtLastError() != 0 && !MUTATED(11);
    bool measures = !pending && may_measure(l, c);
    if (measures && get(c->settled)) {
        /* Settled by the first launch alone, which said nothing, and there are more. */
        if (get(c->why) == WHY_SHORT) {
            put(c->why, WHY_LEARNING);
            c->few = false;
            put_release(c->settled, 0);
            go_on(l->state, c);
        } else if (c->runner == NOBODY || get(l->state->broken) >> c->runner & 1 || !(c->mask >> c->runner & 1)) {
            put(c->look, UINT64_MAX);
        } else {
            put_release(c->settled, 0);
            put(c->look, 0);
            set_duel(c, choice, c->runner);
            c->drift = true;
            c->lost = 0;
        }
    }
    if (c->waiting != NOBODY && (is_loaded(l, c, c->waiting) || may_load(l)))
        return run_trusted(l, c, measures, pending);
    struct flight *f = 0;
    uint64_t due = 0;
    if (measures && !c->begun)
        load_early(l, c);
    c->begun = true;
    if (measures && c->waiting == NOBODY) {
        poll_guarded(l, c);
        if (c->challenger != NOBODY && get(l->state->broken) >> c->challenger & 1)
            reject(l->state, c, -2 * LOG_3);
        f = plan(l, c, &due);
    }
    int result;
    if (f) {
        result = run_timed(l, c, f);
        /* Kept at once: by the end of the process the context may be gone. */
        if (c->few)
            read_alone(l, c);
        put_off(c, 0);
        let_go(&c->busy);
        return result;
    }
    put_off(c, due);
    choice = get(c->choice);
    let_go(&c->busy);
    return run_or_k(l, c, choice, pending);
}

#endif
