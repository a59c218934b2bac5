/** Experiments: deterministic assignment of visitors to variations, and who has seen which. */
export { experimentsTag, loadExperiments, reloadExperiments, variationsFor } from './running.ts'
export { readHeld as readAssignments, removeAssignmentsOf, writeExperiment } from './store.ts'
