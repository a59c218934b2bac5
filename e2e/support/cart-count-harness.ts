import { enhance } from '@purlin/storefront/shell/cart-count.enhance.ts'

const element = document.querySelector<HTMLElement>('[data-enhance="cart-count"]')
if (element) enhance(element)
