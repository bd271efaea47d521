--
-- PostgreSQL database dump
--

-- Dumped from database version 15.6
-- Dumped by pg_dump version 15.6

SET statement_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;

CREATE TABLE public.patients (
    patient_id bigint NOT NULL,
    national_id character(11) NOT NULL,
    full_name text NOT NULL,
    born_on date NOT NULL,
    diagnosis_code text
);

ALTER TABLE public.patients OWNER TO clinic;

COPY public.patients (patient_id, national_id, full_name, born_on, diagnosis_code) FROM stdin;
1	01017000001	Sigrid Aune	1970-01-01	M54.5
2	02028100002	Halvor Strand	1981-02-02	J45.9
3	03039200003	Mona Lien	1992-03-03	E11.9
4	04040300004	Even Tveit	2003-04-04	\N
\.

ALTER TABLE ONLY public.patients
    ADD CONSTRAINT patients_pkey PRIMARY KEY (patient_id);

--
-- PostgreSQL database dump complete
--
