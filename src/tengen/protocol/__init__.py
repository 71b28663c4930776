"""Tengen as an engine of the Gomocup (Piskvork) protocol, with the extensions that Yixin brought into use."""
