/** Experiments: deterministic assignment of visitors to variations, and who has seen which. */
export { experimentsTag, loadExperiments, reloadExperiments, variationsFor } from './running.ts'
export { removeAssignmentsOf, writeExperiment } from './store.ts'
