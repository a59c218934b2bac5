/** Style sheet of cart, checkout and orders, which show the same summaries. */
export const modules = import.meta.glob(['./{checkout,orders}/*.module.css', './cart/cart.module.css'], { eager: true })
