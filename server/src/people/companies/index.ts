/** Companies: conversion of consumers to professional customers. */
export { vatDecidesConversion } from './decide-conversion.ts'
export { removeInvitationsOf } from './invitation-store.ts'
export { readConversion, readConversionStates, removeConversionsOf } from './store.ts'
