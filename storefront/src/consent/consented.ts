/** What pages do with consent alone, in one script: a visitor who has agreed to nothing never loads it. */
export { followExperiment } from '../experiments/experiment-tag.ts'
export { showHistory } from '../history/show-history.ts'
export { sayChosen, watchChoices } from '../listing/list-choices.ts'
export { measure } from '../measure/measure.ts'
export { offerPush } from '../push/push-prompt.ts'
export { rememberClick } from '../referer/referer.ts'
