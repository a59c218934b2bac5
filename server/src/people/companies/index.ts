/** Companies: conversion of consumers to professional customers, members, building sites and cost centres. */
export { vatDecidesConversion } from './decide-conversion.ts'
export { removeInvitationsOf } from './invitation-store.ts'
export { readConversion, readConversionStates, removeConversionsOf } from './store.ts'
export { checkCostCentre, findSite } from './manage-sites.ts'
export { readSite, type Site } from './site-store.ts'
