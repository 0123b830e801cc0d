package io.github.urlmill;

/**
 * Holds the outcome of one URL.
 *
 * @param url the normal form, or null if the status is an error
 * @param status what happened
 */
public record Result(String url, Status status) {}
