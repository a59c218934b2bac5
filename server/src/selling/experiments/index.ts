/** Experiments: deterministic assignment of visitors and customers to variations, and who has seen which. */
export { variationsFor } from './assign.ts'
export { experimentCookies } from './customer-cookie.ts'
export { experimentsTag, loadExperiments, reloadExperiments } from './running.ts'
export { readAssignments, removeCustomer, writeExperiment } from './store.ts'
