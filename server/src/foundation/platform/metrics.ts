import { Counter, Gauge, Histogram, collectDefaultMetrics, register } from 'prom-client'
import { processSettings } from './settings.ts'

/** Metrics of this process; /metrics has those of all processes. */
export const metrics = {
  requests: new Histogram({
    name: 'purlin_request_seconds',
    help: 'Time to answer a request',
    labelNames: ['kind', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
  }),
  refused: new Counter({
    name: 'purlin_requests_refused_total',
    help: 'Requests refused by a quota (429) or a waiting queue (503)',
    labelNames: ['by', 'name'],
  }),
  statements: new Counter({ name: 'purlin_sql_statements_total', help: 'SQL statements sent for requests' }),
  work: new Counter({ name: 'purlin_work_total', help: 'Events and jobs handled', labelNames: ['handler', 'outcome'] }),
  workDelay: new Histogram({
    name: 'purlin_work_delay_seconds',
    help: 'From being written to being handled',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  }),
  parked: new Gauge({ name: 'purlin_work_parked', help: 'Events and jobs given up on: somebody must look' }),
  jobs: new Gauge({ name: 'purlin_jobs', help: 'Jobs on the list, by state', labelNames: ['state'] }),
  ready: new Gauge({ name: 'purlin_web_processes_ready', help: 'Web processes that serve requests' }),
  pageCacheBytes: new Gauge({ name: 'purlin_page_cache_bytes', help: 'Rendered pages and their copies in memory' }),
  pageCacheMaxBytes: new Gauge({ name: 'purlin_page_cache_max_bytes', help: 'PAGE_CACHE_MB in bytes' }),
  waiting: new Gauge({ name: 'purlin_work_waiting', help: 'Events not yet handled' }),
}

export { register as metricsRegister }

/**
 * Adds memory, event loop and garbage collection of this process, and labels all its metrics with its name: a sum of processes would hide
 * the one that is in trouble, and would fall, as if counters had been reset, whenever one of them does not respond in time.
 */
export function collectProcessMetrics(): void {
  register.setDefaultLabels({ process: processSettings().part })
  collectDefaultMetrics()
}
