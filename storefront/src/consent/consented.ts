/** The bundle of all features that require consent. Without consent to any purpose it is not loaded (decision 100). */
export { followExperiment } from '../experiments/experiment-tag.ts'
export { showHistory } from '../history/show-history.ts'
export { sayChosen, watchChoices } from '../listing/list-choices.ts'
export { measure } from '../measure/measure.ts'
export { offerPush } from '../push/push-prompt.ts'
export { rememberClick } from '../referer/referer.ts'
