"""Fraud scores for motor claims."""
