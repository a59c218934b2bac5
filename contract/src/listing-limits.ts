/** Maximum number of concurrent filters of a listing: pages show no more than the API applies. (V-38) */
export const listingLimits = { filters: 20, values: 50, literal: 8 }
