/** Recommendations: learned every night from orders and attributes, answered from memory, each with its reason. */
export { forgetRecommendations, loadRecommendations, recommendationService, recommendationsTag } from './recommend.ts'
