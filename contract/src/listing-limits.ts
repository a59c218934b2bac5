/** What a listing can be filtered by at once: pages show no more than the API applies. (V-38) */
export const listingLimits = { filters: 20, values: 50 }
