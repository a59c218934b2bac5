/** The events that the shop stores: those of its pages' data layer, and the page changes that the server records. */
export const eventNames = [
  'page_view',
  'client_page_change',
  'add_to_cart',
  'login',
  'experiment_exposure',
  'recommendation_view',
  'recommendation_click',
] as const
export type EventName = (typeof eventNames)[number]
